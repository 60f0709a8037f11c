-- What tells a repetition of a request from another request under the same key.

-- The SHA-256 of the payload that was accepted. Null in rows of engines that kept none: such a retry
-- is taken for what it says it is, as before.
ALTER TABLE signal_response ADD COLUMN payload_hash bytea;

-- Which workflow a start's key belongs to, and what was asked for under it. Written before the start,
-- in a transaction of its own: one key never starts two workflows, whatever ids its requests name (I5).
CREATE TABLE start_key (
  claimed_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  key          text COLLATE "C" PRIMARY KEY,
  workflow_id  text COLLATE "C" NOT NULL,
  request_hash text COLLATE "C" NOT NULL
);

-- Orders to many workflows at once: counted first, confirmed, then carried out by one node at a time,
-- page by page. The place it has come to is kept, so another node goes on when that one is gone.
CREATE TABLE bulk_operation (
  created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  beat_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  counted      bigint  NOT NULL,
  applied      bigint  NOT NULL DEFAULT 0,
  unchanged    bigint  NOT NULL DEFAULT 0,
  failed       bigint  NOT NULL DEFAULT 0,
  turn         bigint  NOT NULL DEFAULT 0, -- raised by each node that takes it: a slow one notices
  id           text COLLATE "C" PRIMARY KEY,
  state        text COLLATE "C" NOT NULL CHECK (state IN ('proposed', 'running', 'finished')),
  confirmation text COLLATE "C" NOT NULL,
  request      text NOT NULL,
  cursor       text COLLATE "C",
  failure      text
);
CREATE INDEX bulk_operation_running ON bulk_operation (beat_at) WHERE state = 'running';
