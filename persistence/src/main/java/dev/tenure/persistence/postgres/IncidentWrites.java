package dev.tenure.persistence.postgres;

import dev.tenure.persistence.incident.IncidentRow;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.workflow.WorkflowId;
import java.util.List;

/** The changes of {@code incident} in a commit. */
final class IncidentWrites {
  /** A workflow has one incident at a time: the newer takes the place of the older. */
  static final SideStatement RAISE =
      new SideStatement(
          "incident-raise",
          """
          INSERT INTO incident (workflow_id, run_id, type, type_version, shard, version, since,
            kind, fingerprint, operation, evidence)
          SELECT * FROM unnest(?::text[], ?::text[], ?::text[], ?::int4[], ?::int4[], ?::int8[],
            ?::timestamptz[], ?::text[], ?::text[], ?::text[], ?::text[])
          ON CONFLICT (workflow_id) DO UPDATE SET run_id = excluded.run_id, type = excluded.type,
            type_version = excluded.type_version, version = excluded.version,
            since = excluded.since, kind = excluded.kind, fingerprint = excluded.fingerprint,
            operation = excluded.operation, evidence = excluded.evidence,
            number = excluded.number
          """,
          List.of(
              "text",
              "text",
              "text",
              "int4",
              "int4",
              "int8",
              "timestamptz",
              "text",
              "text",
              "text",
              "text"));

  static final SideStatement CLOSE =
      new SideStatement(
          "incident-close",
          "DELETE FROM incident WHERE workflow_id = ANY (?::text[])",
          List.of("text"));

  private IncidentWrites() {}

  static SideValues raise(IncidentRow row) {
    return SideValues.of(
        RAISE,
        KeyText.column(row.workflow().value()),
        KeyText.column(row.runId()),
        KeyText.column(row.type().name()),
        row.type().version(),
        row.shard(),
        row.version(),
        row.since().toString(),
        row.kind(),
        row.fingerprint(),
        row.operation().map(KeyText::column).orElse(null),
        row.evidence());
  }

  static SideValues close(WorkflowId id) {
    return SideValues.of(CLOSE, KeyText.column(id.value()));
  }
}
