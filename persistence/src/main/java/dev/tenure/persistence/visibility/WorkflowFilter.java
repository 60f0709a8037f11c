package dev.tenure.persistence.visibility;

import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Which workflows are wanted; what is empty excludes nothing.
 *
 * @param type the name of the type, in any version
 * @param attributes all of these are among the workflow's
 * @param startedBefore this moment itself is no longer in it
 */
public record WorkflowFilter(
    Set<Status> statuses,
    Optional<String> type,
    Optional<WorkflowId> parent,
    Attributes attributes,
    Optional<Instant> startedFrom,
    Optional<Instant> startedBefore) {
  public static final WorkflowFilter ALL =
      new WorkflowFilter(
          Set.of(),
          Optional.empty(),
          Optional.empty(),
          Attributes.NONE,
          Optional.empty(),
          Optional.empty());

  public WorkflowFilter {
    statuses = Set.copyOf(statuses);
    startedFrom = startedFrom.map(time -> StoredTime.ceiling(time));
    startedBefore = startedBefore.map(time -> StoredTime.ceiling(time));
  }

  public WorkflowFilter withStatus(Status first, Status... others) {
    return new WorkflowFilter(
        EnumSet.of(first, others), type, parent, attributes, startedFrom, startedBefore);
  }

  public WorkflowFilter withType(String type) {
    return new WorkflowFilter(
        statuses, Optional.of(type), parent, attributes, startedFrom, startedBefore);
  }

  public WorkflowFilter withParent(WorkflowId parent) {
    return new WorkflowFilter(
        statuses, type, Optional.of(parent), attributes, startedFrom, startedBefore);
  }

  public WorkflowFilter with(Attributes attributes) {
    return new WorkflowFilter(statuses, type, parent, attributes, startedFrom, startedBefore);
  }

  public WorkflowFilter startedWithin(Instant from, Instant before) {
    return new WorkflowFilter(
        statuses, type, parent, attributes, Optional.of(from), Optional.of(before));
  }

  public boolean matches(WorkflowRow row) {
    return (statuses.isEmpty() || statuses.contains(row.status()))
        && type.map(row.type().name()::equals).orElse(true)
        && parent.map(wanted -> row.parent().equals(Optional.of(wanted))).orElse(true)
        && row.attributes().contain(attributes)
        && startedFrom.map(from -> !row.startedAt().isBefore(from)).orElse(true)
        && startedBefore.map(before -> row.startedAt().isBefore(before)).orElse(true);
  }
}
