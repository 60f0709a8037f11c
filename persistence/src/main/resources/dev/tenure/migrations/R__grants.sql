-- What the engine's own role may do: no DDL, and history is only ever appended to.
-- Grants of one engine version; an older one that meets a newer schema leaves the newer grants alone.
-- A migration that makes a table anew (V13) changes this file, too: only then is it run again.
GRANT USAGE ON SCHEMA "${flyway:defaultSchema}" TO ${application_role};
GRANT SELECT ON ALL TABLES IN SCHEMA "${flyway:defaultSchema}" TO ${application_role};
GRANT USAGE ON ALL SEQUENCES IN SCHEMA "${flyway:defaultSchema}" TO ${application_role};
GRANT INSERT ON event_journal, meta, payload, definition TO ${application_role};
GRANT INSERT, UPDATE, DELETE ON cluster_member TO ${application_role};
GRANT UPDATE ON cluster_generation TO ${application_role};
GRANT INSERT, UPDATE ON shard_lease TO ${application_role};
GRANT INSERT, UPDATE, DELETE ON node_lease TO ${application_role};
GRANT INSERT, UPDATE, DELETE ON workflow, workflow_search TO ${application_role};
-- A closed workflow's row is never changed; another start of the id takes it out.
GRANT INSERT, DELETE ON workflow_closed TO ${application_role};
GRANT EXECUTE ON FUNCTION make_closed_months(integer, integer) TO ${application_role};
-- The journal of a closed workflow is removed by these only.
GRANT EXECUTE ON FUNCTION remove_closed_workflows(text[], timestamptz[], interval, bigint)
  TO ${application_role};
GRANT EXECUTE ON FUNCTION remove_left_history(integer) TO ${application_role};
GRANT EXECUTE ON FUNCTION drop_empty_closed_months() TO ${application_role};
GRANT UPDATE, DELETE ON workflow_removed TO ${application_role};
GRANT INSERT, UPDATE, DELETE ON signal_inbox, signal_response TO ${application_role};
GRANT INSERT, UPDATE, DELETE ON start_key, bulk_operation TO ${application_role};
GRANT INSERT, UPDATE, DELETE ON incident, recovery, snapshot TO ${application_role};
GRANT INSERT, UPDATE ON activity_record TO ${application_role};
GRANT INSERT, UPDATE, DELETE ON task, task_queue, task_resource TO ${application_role};

-- Before PostgreSQL 15, everybody may create tables in the schema `public`. Only its owner can end that.
DO $$
BEGIN
  IF pg_has_role((SELECT nspowner FROM pg_namespace WHERE nspname = current_schema()), 'USAGE') THEN
    EXECUTE format('REVOKE CREATE ON SCHEMA %I FROM PUBLIC', current_schema());
  END IF;
END $$;
