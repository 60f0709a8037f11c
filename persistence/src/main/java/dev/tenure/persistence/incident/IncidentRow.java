package dev.tenure.persistence.incident;

import dev.tenure.persistence.visibility.StoredTime;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import java.time.Instant;
import java.util.Optional;

/**
 * An incident, as people find it.
 *
 * @param version the commit that raised it; 0 when the history cannot be read and has none
 * @param kind in one word: what can be done about it depends on that
 * @param fingerprint what it has in common with others of the same cause
 * @param operation the operation that it is about; empty when it is about none
 * @param evidence what was found, and what to do about it
 */
public record IncidentRow(
    WorkflowId workflow,
    String runId,
    WorkflowType type,
    int shard,
    long version,
    Instant since,
    String kind,
    String fingerprint,
    Optional<String> operation,
    String evidence) {
  public IncidentRow {
    since = StoredTime.floor(since);
    kind = storable(kind);
    evidence = storable(evidence);
  }

  public static IncidentRow of(
      WorkflowId workflow,
      String runId,
      WorkflowType type,
      int shard,
      long version,
      Instant since,
      String kind,
      Optional<String> operation,
      String evidence) {
    String fingerprint =
        Fingerprint.of(storable(kind), storable(type.name()), storable(evidence), workflow.value());
    return new IncidentRow(
        workflow, runId, type, shard, version, since, kind, fingerprint, operation, evidence);
  }

  /** Evidence comes from anywhere, and what cannot be stored in it must not hide the rest. */
  private static String storable(String text) {
    StringBuilder kept = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean pair =
          Character.isHighSurrogate(c)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (pair) i++;
      else if (c == 0 || Character.isSurrogate(c)) {
        if (kept == null) kept = new StringBuilder(text);
        kept.setCharAt(i, '\uFFFD');
      }
    }
    return kept == null ? text : kept.toString();
  }
}
