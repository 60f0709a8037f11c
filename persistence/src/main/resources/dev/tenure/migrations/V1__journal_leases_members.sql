-- The tables of the commit path. Later migrations only add.

CREATE TABLE meta (
  key   text COLLATE "C" PRIMARY KEY,
  value text NOT NULL
);

-- pekko-persistence-jdbc's columns, so that its read side can still read the table, and two of ours.
-- Left out on purpose: its unique index on `ordering`, which would cost every commit a second index
-- insertion for a query that the engine never makes.
CREATE TABLE event_journal (
  ordering           bigserial,
  sequence_number    bigint       NOT NULL,
  epoch              bigint       NOT NULL,
  write_timestamp    bigint       NOT NULL,
  shard              integer      NOT NULL,
  event_ser_id       integer      NOT NULL,
  meta_ser_id        integer,
  deleted            boolean      NOT NULL DEFAULT false,
  persistence_id     text COLLATE "C" NOT NULL,
  writer             text COLLATE "C" NOT NULL,
  adapter_manifest   text COLLATE "C" NOT NULL DEFAULT '',
  event_ser_manifest text COLLATE "C" NOT NULL,
  event_payload      bytea        NOT NULL,
  meta_ser_manifest  text COLLATE "C",
  meta_payload       bytea,
  -- The compare-and-set on a workflow's head: a version is written once (I2).
  PRIMARY KEY (persistence_id, sequence_number)
);
-- A number per row, not a row per number: each session takes them in blocks.
ALTER SEQUENCE event_journal_ordering_seq CACHE 1000;
-- Payloads are small or already compressed; trying to compress each one costs more than it saves.
ALTER TABLE event_journal ALTER COLUMN event_payload SET STORAGE EXTERNAL;

-- Every epoch ever granted comes from here, so epochs rise even when a lease row is deleted (I15).
CREATE SEQUENCE lease_epoch AS bigint;

CREATE TABLE shard_lease (
  shard              integer PRIMARY KEY,
  epoch              bigint NOT NULL,
  holder_incarnation bigint,
  expires_at         timestamptz NOT NULL,
  holder_node        text COLLATE "C",
  CHECK ((holder_node IS NULL) = (holder_incarnation IS NULL))
) WITH (fillfactor = 50); -- renewed every beat: room for HOT updates

CREATE FUNCTION lease_epoch_only_rises() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the epoch of shard % must rise, from % it cannot become %', OLD.shard, OLD.epoch, NEW.epoch
    USING ERRCODE = 'check_violation';
END $$;

CREATE TRIGGER lease_epoch_only_rises BEFORE UPDATE ON shard_lease
  FOR EACH ROW WHEN (NEW.epoch < OLD.epoch OR NEW.shard <> OLD.shard)
  EXECUTE FUNCTION lease_epoch_only_rises();

-- Which cluster may run on this store: the newest that was founded. The lock of this one row orders
-- everything that decides about it, so two nodes cannot found two clusters.
CREATE TABLE cluster_generation (
  only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  generation bigint NOT NULL
);
INSERT INTO cluster_generation (generation) VALUES (0);

CREATE TABLE cluster_member (
  node         text COLLATE "C" PRIMARY KEY,
  incarnation  bigint NOT NULL,
  generation   bigint, -- null while the node looks for a cluster
  beats        bigint NOT NULL,
  started_at   timestamptz NOT NULL,
  heartbeat_at timestamptz NOT NULL
) WITH (fillfactor = 50);
