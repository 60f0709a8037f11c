-- What the engine's own role may do: no DDL, and history is only ever appended to.
-- Grants of one engine version; an older one that meets a newer schema leaves the newer grants alone.
GRANT USAGE ON SCHEMA "${flyway:defaultSchema}" TO ${application_role};
GRANT SELECT ON ALL TABLES IN SCHEMA "${flyway:defaultSchema}" TO ${application_role};
GRANT USAGE ON ALL SEQUENCES IN SCHEMA "${flyway:defaultSchema}" TO ${application_role};
GRANT INSERT ON event_journal, meta, payload, definition TO ${application_role};
GRANT INSERT, UPDATE, DELETE ON cluster_member TO ${application_role};
GRANT UPDATE ON cluster_generation TO ${application_role};
GRANT INSERT, UPDATE ON shard_lease TO ${application_role};
GRANT INSERT, UPDATE, DELETE ON node_lease TO ${application_role};
GRANT INSERT, UPDATE ON workflow TO ${application_role};
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
