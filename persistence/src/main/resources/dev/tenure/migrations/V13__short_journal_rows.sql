-- The journal's row without what nothing reads, and settings for vacuum and compression of each table.
--
-- Nothing is released yet, so this migration may do what later ones must not: it copies the journal while
-- nobody can use it, and an engine from before it cannot read the new table. Every migration after the first
-- release works beside running engines, and only adds.

-- Sequence number and epoch first, then what has four bytes, then what has no alignment: no byte is lost
-- between columns, and no column may be null, because a row with a null is longer by what says so.
--
-- The serializer is part of the manifest, and for the engine's own entries nothing is written of it.
-- Left out of what pekko-persistence-jdbc has: `ordering`, because nothing in the engine reads a journal of
-- all workflows; `deleted`, because rows are never marked; `adapter_manifest` and the columns of metadata,
-- because the engine has neither; and the time of writing, because each event says when it happened.
CREATE TABLE short_journal (
  sequence_number    bigint  NOT NULL,
  epoch              bigint  NOT NULL,
  shard              integer NOT NULL,
  writer             uuid    NOT NULL, -- no two incarnations of an owner have the same
  persistence_id     text COLLATE "C" NOT NULL, -- the id of the workflow
  event_ser_manifest text COLLATE "C" NOT NULL, -- and, before a colon, a serializer that is not the engine's own
  event_payload      bytea   NOT NULL
);

-- A writer was a text. It decides only whether a commit is stored whose outcome its owner does not know, so
-- a hash of it does as well.
INSERT INTO short_journal
SELECT sequence_number, epoch, shard, md5(writer)::uuid,
  regexp_replace(persistence_id, '^workflow\|', ''),
  CASE WHEN event_ser_id = 740001 THEN event_ser_manifest
    ELSE event_ser_id || ':' || event_ser_manifest END,
  event_payload
FROM event_journal
ORDER BY persistence_id, sequence_number;

DROP TABLE event_journal;
ALTER TABLE short_journal RENAME TO event_journal;
-- The compare-and-set on a workflow's head: a version is written once (I2).
ALTER TABLE event_journal
  ADD CONSTRAINT event_journal_pkey PRIMARY KEY (persistence_id, sequence_number);
CREATE INDEX event_journal_runs ON event_journal (persistence_id, sequence_number)
  WHERE event_ser_manifest = 'r';
-- R__grants.sql follows, because it changed together with this file: the new table has no grants yet.

-- Rows that are never changed are frozen by the first vacuum that sees them, while their pages are in memory
-- and were written anyway. Otherwise an anti-wraparound vacuum reads all of a large table again, writes it
-- once more, and logs every page. Autovacuum comes after so many new rows, not after a share of the table.
ALTER TABLE event_journal SET (
  autovacuum_freeze_min_age = 0,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000,
  toast.autovacuum_freeze_min_age = 0,
  toast.autovacuum_vacuum_insert_scale_factor = 0, toast.autovacuum_vacuum_insert_threshold = 500000);
-- A payload that is kept apart is at least 32 rows of its TOAST table.
ALTER TABLE payload SET (
  autovacuum_freeze_min_age = 0,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 100000,
  toast.autovacuum_freeze_min_age = 0,
  toast.autovacuum_vacuum_insert_scale_factor = 0, toast.autovacuum_vacuum_insert_threshold = 500000);
ALTER TABLE start_key SET (
  autovacuum_freeze_min_age = 0,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000);
-- The record of a call changes for a while, in place, and then stays.
ALTER TABLE activity_record SET (
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000);
-- Answers expire from one end of the table. With the default, a fifth of it would be dead before a vacuum,
-- and each removal walks over the dead entries at the beginning of the index.
ALTER TABLE signal_response SET (
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 500000);
-- A snapshot replaces the one before it, and most of it is in the TOAST table.
ALTER TABLE snapshot SET (
  autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_scale_factor = 0.05);

-- PostgreSQL compresses a row of more than 2 kB, whose payload is nearly always JSON. lz4 costs less than
-- writing what it saves; what it cannot compress it passes over at once. A server that was built without it
-- has pglz, which takes longer: there only what stays for long is compressed.
ALTER TABLE event_journal ALTER COLUMN event_payload SET STORAGE EXTENDED;
ALTER TABLE payload ALTER COLUMN content SET STORAGE EXTENDED;
DO $$
BEGIN
  IF (SELECT 'lz4' = ANY (enumvals) FROM pg_settings WHERE name = 'default_toast_compression') THEN
    ALTER TABLE event_journal ALTER COLUMN event_payload SET COMPRESSION lz4;
    ALTER TABLE payload ALTER COLUMN content SET COMPRESSION lz4;
    ALTER TABLE snapshot ALTER COLUMN content SET COMPRESSION lz4;
    ALTER TABLE definition ALTER COLUMN content SET COMPRESSION lz4;
    ALTER TABLE signal_inbox ALTER COLUMN payload SET STORAGE EXTENDED,
      ALTER COLUMN payload SET COMPRESSION lz4;
    ALTER TABLE activity_record ALTER COLUMN result SET STORAGE EXTENDED,
      ALTER COLUMN result SET COMPRESSION lz4, ALTER COLUMN error SET COMPRESSION lz4;
    ALTER TABLE task ALTER COLUMN input SET STORAGE EXTENDED,
      ALTER COLUMN input SET COMPRESSION lz4, ALTER COLUMN outcome SET STORAGE EXTENDED,
      ALTER COLUMN outcome SET COMPRESSION lz4;
  END IF;
END $$;
