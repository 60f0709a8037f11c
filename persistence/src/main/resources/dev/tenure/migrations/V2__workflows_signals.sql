-- What lists, wake-ups and signals need beside the journal.

-- One row per workflow, written when it starts, when the class of its rest changes, when its
-- attributes change and when it closes; never per step.
CREATE TABLE workflow (
  started_at   timestamptz NOT NULL,
  -- When it must be awake: in the past or now while work is in flight or a signal waits, the
  -- earliest timer while it sleeps, null when only a message can move it.
  wake_at      timestamptz,
  closed_at    timestamptz,
  -- The position of the newest signal that was accepted for it: positions are given under this
  -- row's lock, so their order is the order of acceptance (I14).
  signals      bigint  NOT NULL DEFAULT 0,
  run_id       text COLLATE "C" NOT NULL,
  shard        integer NOT NULL,
  type_version integer NOT NULL,
  id           text COLLATE "C" PRIMARY KEY,
  type         text COLLATE "C" NOT NULL,
  status       text COLLATE "C" NOT NULL,
  parent       text COLLATE "C",
  attributes   jsonb   NOT NULL DEFAULT '{}'
) WITH (fillfactor = 85); -- room for the counter of signals to rise in place (HOT)

-- Wake-ups of a shard. What is closed or waits for a message only is not in it.
CREATE INDEX workflow_wake ON workflow (shard, wake_at, id) WHERE wake_at IS NOT NULL;
-- Lists, newest first. Those that leave status or type open merge the few streams there are.
CREATE INDEX workflow_list ON workflow (status, type, started_at DESC, id DESC);
CREATE INDEX workflow_children ON workflow (parent, started_at DESC, id DESC)
  WHERE parent IS NOT NULL;
-- Whoever sets no attributes pays nothing for the search of those who do.
CREATE INDEX workflow_attributes ON workflow USING gin (attributes jsonb_path_ops)
  WHERE attributes <> '{}';

-- Accepted signals that no commit has consumed. A row lives for moments, or for ever: what is left
-- when its workflow closes is marked, in the closing commit (I13). It is marked where it stands,
-- because moving it to a table of its own would copy its payload.
CREATE TABLE signal_inbox (
  position      bigint      NOT NULL,
  accepted_at   timestamptz NOT NULL,
  unconsumed_at timestamptz,
  shard         integer     NOT NULL,
  workflow_id   text COLLATE "C" NOT NULL,
  signal_name   text COLLATE "C" NOT NULL,
  signal_id     text COLLATE "C" NOT NULL,
  payload       bytea       NOT NULL,
  PRIMARY KEY (workflow_id, position)
) WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE signal_inbox ALTER COLUMN payload SET STORAGE EXTERNAL;
-- For one question: is there a payload whose acceptance nobody recorded?
CREATE INDEX signal_inbox_by_id ON signal_inbox (workflow_id, signal_id);

-- The marker of deduplication, and the canonical answer to every retry. Never updated in place but
-- by the acceptance of the same signal after the answer expired.
CREATE TABLE signal_response (
  position    bigint      NOT NULL,
  accepted_at timestamptz NOT NULL,
  expires_at  timestamptz NOT NULL,
  shard       integer     NOT NULL,
  version     smallint    NOT NULL DEFAULT 1,
  workflow_id text COLLATE "C" NOT NULL,
  signal_name text COLLATE "C" NOT NULL,
  signal_id   text COLLATE "C" NOT NULL,
  PRIMARY KEY (workflow_id, signal_name, signal_id)
);
CREATE INDEX signal_response_expiry ON signal_response (expires_at);

-- Lets a statement insist on the outcome of the one before it in the same round trip: when it
-- throws, everything the transaction did is undone, and the caller does it again step by step.
CREATE FUNCTION require_all_stored(stored bigint, wanted bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF stored <> wanted THEN
    RAISE EXCEPTION '% of % rows were stored', stored, wanted USING ERRCODE = 'TN001';
  END IF;
END $$;
