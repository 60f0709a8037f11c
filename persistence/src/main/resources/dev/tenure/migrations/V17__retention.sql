-- Closed workflows can be removed, with all that is theirs. The role of the application may not delete from
-- the journal: it calls functions that belong to the role which migrates, and these remove closed workflows
-- only.

-- Workflows that were removed before nobody can repeat a request for them any more, and those whose
-- journal is longer than one transaction removes. A start of such an id is refused, a signal for it finds
-- it closed.
CREATE TABLE workflow_removed (
  free_at     timestamptz NOT NULL, -- from then on the id may mean something else
  rows_left   boolean     NOT NULL, -- in the journal
  id          text COLLATE "C" PRIMARY KEY
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX workflow_removed_free ON workflow_removed (free_at) WHERE NOT rows_left;
CREATE INDEX workflow_removed_left ON workflow_removed (id) WHERE rows_left;

-- Refuses the start of an id that was removed. TN002 is known to the engine.
CREATE FUNCTION refuse_removed_id(id text, free_at timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'workflow % was removed; its id is free from % on', id, free_at USING ERRCODE = 'TN002';
END $$;

-- Removes closed workflows and returns how many. A row is removed only when it is still the one that was
-- seen: with this time of its close, and not locked by another start of its id. When the rows of the journal
-- are more than rows_max, those of the last workflows stay for remove_left_history.
--
-- Answers to signals stay until they expire: a sender that repeats its signal gets the same answer. Keys of
-- starts are removed later, as all keys without a workflow.
CREATE FUNCTION remove_closed_workflows(ids text[], closes timestamptz[], id_kept_for interval,
  rows_max bigint) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = "${flyway:defaultSchema}", pg_temp AS $$
DECLARE
  gone text[];
  short text[];
BEGIN
  WITH wanted AS MATERIALIZED (
    SELECT a.id, a.closed_at FROM unnest(ids, closes) AS a (id, closed_at)
    WHERE a.closed_at <= clock_timestamp()
  ), locked AS MATERIALIZED (
    SELECT w.id, w.closed_at, w.head_version FROM wanted a
    JOIN workflow_closed w ON w.id = a.id AND w.closed_at = a.closed_at
    FOR UPDATE OF w SKIP LOCKED
  ), removed AS (
    DELETE FROM workflow_closed w USING locked l
    WHERE w.id = l.id AND w.closed_at = l.closed_at
    RETURNING w.id, w.closed_at, w.head_version
  ), counted AS MATERIALIZED (
    -- A workflow that was ended without its history has no head, and few rows or many.
    SELECT r.id, r.closed_at, sum(coalesce(r.head_version, rows_max)) OVER (ORDER BY
      coalesce(r.head_version, rows_max), r.id) <= rows_max AS short
    FROM removed r
  ), noted AS (
    INSERT INTO workflow_removed AS n (id, free_at, rows_left)
    SELECT c.id, c.closed_at + id_kept_for, NOT c.short FROM counted c
    WHERE NOT c.short OR c.closed_at + id_kept_for > clock_timestamp()
    ON CONFLICT (id) DO UPDATE SET free_at = greatest(n.free_at, excluded.free_at),
      rows_left = n.rows_left OR excluded.rows_left
  )
  SELECT coalesce(array_agg(c.id), '{}'), coalesce(array_agg(c.id) FILTER (WHERE c.short), '{}')
  INTO gone, short FROM counted c;
  DELETE FROM event_journal j WHERE j.persistence_id = ANY (short);
  DELETE FROM payload p WHERE p.workflow_id = ANY (gone);
  DELETE FROM activity_record a WHERE a.workflow_id = ANY (gone);
  DELETE FROM snapshot s WHERE s.workflow_id = ANY (gone);
  DELETE FROM signal_inbox i WHERE i.workflow_id = ANY (gone);
  DELETE FROM incident i WHERE i.workflow_id = ANY (gone);
  DELETE FROM recovery r WHERE r.workflow_id = ANY (gone);
  DELETE FROM task t WHERE t.workflow_id = ANY (gone);
  RETURN cardinality(gone);
END $$;
REVOKE EXECUTE ON FUNCTION remove_closed_workflows(text[], timestamptz[], interval, bigint) FROM PUBLIC;

-- Removes up to rows_max rows of journals whose workflows are removed, and returns how many.
CREATE FUNCTION remove_left_history(rows_max integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = "${flyway:defaultSchema}", pg_temp AS $$
DECLARE
  one text;
  now_gone integer;
  rows_gone integer := 0;
BEGIN
  FOR one IN
    SELECT r.id FROM workflow_removed r WHERE r.rows_left ORDER BY r.id LIMIT 100 FOR UPDATE SKIP LOCKED
  LOOP
    DELETE FROM event_journal j WHERE j.persistence_id = one AND j.sequence_number = ANY (ARRAY(
      SELECT s.sequence_number FROM event_journal s WHERE s.persistence_id = one
      ORDER BY s.sequence_number LIMIT rows_max - rows_gone));
    GET DIAGNOSTICS now_gone = ROW_COUNT;
    rows_gone := rows_gone + now_gone;
    EXIT WHEN rows_gone >= rows_max;
    UPDATE workflow_removed r SET rows_left = false WHERE r.id = one;
  END LOOP;
  RETURN rows_gone;
END $$;
REVOKE EXECUTE ON FUNCTION remove_left_history(integer) FROM PUBLIC;

-- Drops the parts of months that are over and have no row, and returns how many it dropped. A part that
-- another session has open stays for the next call.
CREATE FUNCTION drop_empty_closed_months() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = "${flyway:defaultSchema}", pg_temp
SET lock_timeout = '500ms' SET timezone = 'UTC' AS $$
DECLARE
  part text;
  used boolean;
  dropped integer := 0;
BEGIN
  FOR part IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'workflow_closed'::regclass
      AND c.relname ~ '^workflow_closed_\d{4}_\d{2}$'
      AND c.relname < 'workflow_closed_' || to_char(now(), 'YYYY_MM')
    ORDER BY c.relname
  LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM %I)', part) INTO used;
    CONTINUE WHEN used;
    BEGIN
      EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', part);
      -- A row may have come between the look and the lock.
      EXECUTE format('SELECT EXISTS (SELECT FROM %I)', part) INTO used;
      IF NOT used THEN
        EXECUTE format('DROP TABLE %I', part);
        dropped := dropped + 1;
      END IF;
    EXCEPTION WHEN lock_not_available THEN
      -- Commits go first. The next call tries again.
      EXIT;
    END;
  END LOOP;
  RETURN dropped;
END $$;
REVOKE EXECUTE ON FUNCTION drop_empty_closed_months() FROM PUBLIC;
