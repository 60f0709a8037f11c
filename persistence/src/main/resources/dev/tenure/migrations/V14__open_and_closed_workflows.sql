-- Two tables for the rows of workflows. `workflow` keeps what is open: it stays small, and all that the
-- engine does again and again looks there. The commit that closes a workflow moves its row into
-- `workflow_closed`, which is only added to, and is parted by the month of the close. Only another start
-- of the id takes a row out again.

-- Whether an id is known is a question to the key of the journal. A row of this table is found by its id in
-- the index of each part.
CREATE TABLE workflow_closed (
  number       bigint      NOT NULL, -- the one that it had while it was open: its place in lists
  started_at   timestamptz NOT NULL,
  closed_at    timestamptz NOT NULL,
  signals      bigint      NOT NULL,
  head_version bigint,
  shard        integer     NOT NULL,
  type_version integer     NOT NULL,
  id           text COLLATE "C" NOT NULL,
  run_id       text COLLATE "C" NOT NULL,
  type         text COLLATE "C" NOT NULL,
  status       text COLLATE "C" NOT NULL,
  parent       text COLLATE "C",
  head_link    bytea,
  attributes   jsonb       NOT NULL DEFAULT '{}',
  PRIMARY KEY (id, closed_at)
) PARTITION BY RANGE (closed_at);

-- Lists of one status and type, newest first.
CREATE INDEX workflow_closed_list ON workflow_closed (status, type, started_at, number);
-- Lists of all, newest first. The condition is true of every row: a statement has to name it to be planned
-- with this index. Those that list one kind would be, too, when they are planned while a month is empty.
CREATE INDEX workflow_closed_newest ON workflow_closed (started_at, number) WHERE shard >= 0;
CREATE INDEX workflow_closed_children ON workflow_closed (parent, started_at, number)
  WHERE parent IS NOT NULL;
-- With a short list of pending entries: the commit that finds it full sorts in all of it.
CREATE INDEX workflow_closed_attributes ON workflow_closed
  USING gin (attributes jsonb_path_ops) WITH (gin_pending_list_limit = 256) WHERE attributes <> '{}';

-- What a removal walks along, in the order of the closes.
CREATE INDEX workflow_closed_age ON workflow_closed (closed_at, number);

-- For what closes in a month that has no part of its own: no commit fails for want of one.
CREATE TABLE workflow_closed_other PARTITION OF workflow_closed DEFAULT
  WITH (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0,
    autovacuum_vacuum_insert_threshold = 100000, autovacuum_analyze_scale_factor = 0.02);

-- Makes the parts of months that have none yet, and returns how many it made. The role of the application
-- may call it, and may change no table itself. Rows that stand in the part for all other months are moved,
-- when they are few; when they are many, the month stays there.
--
-- A part is made first and attached then: that lets commits go on. It locks the part for all other months,
-- so it gives up soon when another session has that open, and is called again later.
CREATE FUNCTION make_closed_months(behind integer, ahead integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = "${flyway:defaultSchema}", pg_temp
SET lock_timeout = '500ms' SET timezone = 'UTC' AS $$
DECLARE
  moved_max CONSTANT integer := 10000;
  first timestamptz;
  part text;
  misplaced bigint;
  made integer := 0;
BEGIN
  IF behind IS NULL OR ahead IS NULL OR behind NOT BETWEEN 0 AND 120 OR ahead NOT BETWEEN 0 AND 24 THEN
    RAISE EXCEPTION 'parts for % months behind and % ahead', behind, ahead
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  -- Several nodes may start at once. One makes the parts.
  IF NOT pg_try_advisory_xact_lock(hashtext('workflow_closed'), hashtext(current_schema())) THEN
    RETURN 0;
  END IF;
  FOR month IN -behind .. ahead LOOP
    first := date_trunc('month', now()) + month * interval '1 month';
    part := 'workflow_closed_' || to_char(first, 'YYYY_MM');
    CONTINUE WHEN to_regclass(part) IS NOT NULL;
    SELECT count(*) INTO misplaced FROM (
      SELECT 1 FROM workflow_closed_other o
      WHERE o.closed_at >= first AND o.closed_at < first + interval '1 month'
      LIMIT moved_max + 1) found;
    CONTINUE WHEN misplaced > moved_max;
    BEGIN
      EXECUTE format(
        'CREATE TABLE %I (LIKE workflow_closed INCLUDING ALL EXCLUDING INDEXES)
           WITH (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0,
             autovacuum_vacuum_insert_threshold = 100000, autovacuum_analyze_scale_factor = 0.02)', part);
      IF misplaced > 0 THEN
        EXECUTE format(
          'WITH moved AS (
             DELETE FROM workflow_closed_other WHERE closed_at >= $1 AND closed_at < $2 RETURNING *)
           INSERT INTO %I SELECT * FROM moved', part)
          USING first, first + interval '1 month';
      END IF;
      EXECUTE format('ALTER TABLE workflow_closed ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
        part, first, first + interval '1 month');
      made := made + 1;
    EXCEPTION WHEN lock_not_available OR check_violation THEN
      -- The next call tries again. Until then the month stands with all others.
      EXIT;
    END;
  END LOOP;
  RETURN made;
END $$;
REVOKE EXECUTE ON FUNCTION make_closed_months(integer, integer) FROM PUBLIC;

-- The attributes of open workflows that have some. They stand apart, because `workflow` would write them and
-- their index again with each change of a row.
CREATE TABLE workflow_search (
  id         text COLLATE "C" PRIMARY KEY,
  attributes jsonb NOT NULL
);
CREATE INDEX workflow_search_attributes ON workflow_search
  USING gin (attributes jsonb_path_ops) WITH (gin_pending_list_limit = 256);

ALTER TABLE workflow
  -- How many signals of its inbox wait: counted up by those who accept them, down by the commits that
  -- consume them. Nobody has to look into the inbox to know whether it is full.
  ADD COLUMN pending integer NOT NULL DEFAULT 0,
  -- The newest entry of its journal at the time when this row was written last: its version, and its link
  -- in the chain of hashes. Of a closed workflow that is the last entry.
  ADD COLUMN head_version bigint,
  ADD COLUMN head_link bytea;

SELECT make_closed_months(least(120, coalesce(o.months, 0)), 3)
FROM (
  SELECT 1 + 12 * extract(year FROM a.span)::int + extract(month FROM a.span)::int AS months
  FROM (SELECT age(now(), min(w.closed_at)) AS span FROM workflow w WHERE w.closed_at <= now()) a) o;

INSERT INTO workflow_closed (number, started_at, closed_at, signals, shard, type_version, id, run_id, type,
  status, parent, attributes)
SELECT w.number, w.started_at, w.closed_at, w.signals, w.shard, w.type_version, w.id, w.run_id, w.type,
  w.status, w.parent, w.attributes
FROM workflow w WHERE w.closed_at IS NOT NULL;
DELETE FROM workflow WHERE closed_at IS NOT NULL;
INSERT INTO workflow_search (id, attributes)
SELECT w.id, w.attributes FROM workflow w WHERE w.attributes <> '{}';
UPDATE workflow w SET pending = i.pending
FROM (SELECT s.workflow_id, count(*) AS pending FROM signal_inbox s
  WHERE s.unconsumed_at IS NULL GROUP BY s.workflow_id) i
WHERE w.id = i.workflow_id;

ALTER TABLE workflow DROP COLUMN closed_at, DROP COLUMN attributes;
ALTER TABLE workflow SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0);
ALTER TABLE workflow_search SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0);

-- Every workflow once, open or closed: a statement sees it in one of the two tables.
CREATE VIEW workflow_all AS
SELECT w.id, w.shard, w.run_id, w.type, w.type_version, w.status, w.wake_at, w.started_at,
  NULL::timestamptz AS closed_at, w.parent,
  coalesce((SELECT s.attributes FROM workflow_search s WHERE s.id = w.id), '{}') AS attributes,
  w.number, w.signals, w.head_version, w.head_link
FROM workflow w
UNION ALL
SELECT id, shard, run_id, type, type_version, status, NULL, started_at, closed_at, parent, attributes,
  number, signals, head_version, head_link
FROM workflow_closed;

-- A workflow that begins and closes in one commit has no row in the table whose key would refuse a second.
CREATE FUNCTION refuse_open_id(id text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'workflow % has a row already', id USING ERRCODE = 'unique_violation';
END $$;
