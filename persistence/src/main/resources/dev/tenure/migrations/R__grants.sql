-- What the engine's own role may do: no DDL, and history is only ever appended to.
GRANT SELECT ON ALL TABLES IN SCHEMA ${flyway:defaultSchema} TO ${application_role};
GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${flyway:defaultSchema} TO ${application_role};
GRANT INSERT ON event_journal, meta TO ${application_role};
GRANT INSERT, UPDATE, DELETE ON snapshot, cluster_member TO ${application_role};
GRANT UPDATE ON cluster_generation TO ${application_role};
GRANT INSERT, UPDATE ON shard_lease TO ${application_role};
