-- The state of a workflow after one of its commits, so that recovery need not fold what came before.
-- Written beside the commits, replaced by newer ones only, compared with the journal before it is
-- used, and removed when its workflow has closed.
CREATE TABLE snapshot (
  workflow_id text COLLATE "C" PRIMARY KEY,
  version     bigint NOT NULL,
  content     bytea  NOT NULL
);
