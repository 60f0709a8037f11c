package dev.tenure.client;

import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Which workflows are wanted: those that fit everything said here. */
public record WorkflowFilter(
    Set<WorkflowStatus> statuses,
    Optional<String> type,
    Optional<String> parent,
    Map<String, Object> attributes,
    Optional<Instant> startedFrom,
    Optional<Instant> startedBefore) {
  public static final WorkflowFilter ALL =
      new WorkflowFilter(
          Set.of(),
          Optional.empty(),
          Optional.empty(),
          Map.of(),
          Optional.empty(),
          Optional.empty());

  public WorkflowFilter {
    statuses = Set.copyOf(statuses);
    attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
  }

  /** Any of these. */
  public WorkflowFilter status(WorkflowStatus first, WorkflowStatus... more) {
    return new WorkflowFilter(
        EnumSet.of(first, more), type, parent, attributes, startedFrom, startedBefore);
  }

  /** Of this type, in any version. */
  public WorkflowFilter type(String name) {
    return new WorkflowFilter(
        statuses, Optional.of(name), parent, attributes, startedFrom, startedBefore);
  }

  /** Children of this workflow. */
  public WorkflowFilter parent(String id) {
    return new WorkflowFilter(
        statuses, type, Optional.of(id), attributes, startedFrom, startedBefore);
  }

  /** With this attribute, beside those that were named before. */
  public WorkflowFilter attribute(String name, Object value) {
    Map<String, Object> all = new LinkedHashMap<>(attributes);
    all.put(name, value);
    return new WorkflowFilter(statuses, type, parent, all, startedFrom, startedBefore);
  }

  public WorkflowFilter startedFrom(Instant time) {
    return new WorkflowFilter(statuses, type, parent, attributes, Optional.of(time), startedBefore);
  }

  public WorkflowFilter startedBefore(Instant time) {
    return new WorkflowFilter(statuses, type, parent, attributes, startedFrom, Optional.of(time));
  }

  /** As the API reads it. */
  Map<String, String> query(Payloads payloads) {
    Map<String, String> query = new LinkedHashMap<>();
    if (!statuses.isEmpty()) {
      query.put(
          "status",
          statuses.stream().map(WorkflowStatus::word).sorted().collect(Collectors.joining(",")));
    }
    type.ifPresent(name -> query.put("type", name));
    parent.ifPresent(id -> query.put("parent", id));
    if (!attributes.isEmpty()) {
      query.put("attributes", payloads.write(attributes, "the attributes").toString());
    }
    startedFrom.ifPresent(time -> query.put("startedFrom", time.toString()));
    startedBefore.ifPresent(time -> query.put("startedBefore", time.toString()));
    return query;
  }
}
