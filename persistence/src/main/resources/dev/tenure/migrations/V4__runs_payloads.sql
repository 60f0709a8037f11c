-- Where the newest run of a workflow begins, so that recovery reads no run before it. Hardly any row
-- of the journal is in it: one for each time that a workflow continued as new.
CREATE INDEX event_journal_runs ON event_journal (persistence_id, sequence_number)
  WHERE event_ser_manifest = 'r';

-- Payloads too large for the journal, which refers to them by their hash. Written in the transaction
-- of the commit that refers to them first, never changed, read when somebody needs the value, and
-- removed together with their workflow.
CREATE TABLE payload (
  workflow_id text COLLATE "C" NOT NULL,
  hash        bytea   NOT NULL,
  shard       integer NOT NULL,
  content     bytea   NOT NULL,
  PRIMARY KEY (workflow_id, hash)
);
ALTER TABLE payload ALTER COLUMN content SET STORAGE EXTERNAL;
