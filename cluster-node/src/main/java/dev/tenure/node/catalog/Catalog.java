package dev.tenure.node.catalog;

import static java.util.stream.Collectors.joining;

import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.workflow.ActivityCode;
import dev.tenure.workflow.PayloadCipher;
import dev.tenure.workflow.StepInterceptor;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.WorkflowType;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a node can run. It does not change while the node lives. */
public final class Catalog {
  public static final Catalog EMPTY = new Catalog(Map.of(), Map.of(), List.of(), Optional.empty());

  private final Map<WorkflowType, WorkflowRegistration<?>> workflows;
  private final Map<String, ActivityCode<?, ?>> activities;
  private final List<StepInterceptor> interceptors;
  private final Optional<PayloadCipher> cipher;

  Catalog(
      Map<WorkflowType, WorkflowRegistration<?>> workflows,
      Map<String, ActivityCode<?, ?>> activities,
      List<StepInterceptor> interceptors,
      Optional<PayloadCipher> cipher) {
    // In the order in which they were registered: that is how people look for them in a log.
    this.workflows = Collections.unmodifiableMap(new LinkedHashMap<>(workflows));
    this.activities = Collections.unmodifiableMap(new LinkedHashMap<>(activities));
    this.interceptors = List.copyOf(interceptors);
    this.cipher = cipher;
  }

  public Collection<WorkflowRegistration<?>> workflows() {
    return workflows.values();
  }

  public Collection<ActivityCode<?, ?>> activities() {
    return activities.values();
  }

  /** What stands around the code of steps and activities, the outermost first. */
  public List<StepInterceptor> interceptors() {
    return interceptors;
  }

  /** The codec with the encryption that was registered, if one was. */
  public PayloadCodec encrypted(PayloadCodec codec) {
    return cipher.map(codec::encryptedBy).orElse(codec);
  }

  /** As people read it: {@code order v1, order v2, subscription v1}. */
  @Override
  public String toString() {
    if (workflows.isEmpty()) return "no workflows of its own";
    return workflows.keySet().stream().map(WorkflowType::toString).collect(joining(", "));
  }

  /** The newest version of that name. */
  public Optional<WorkflowRegistration<?>> newest(String name) {
    WorkflowRegistration<?> newest = null;
    for (WorkflowRegistration<?> each : workflows.values()) {
      if (!each.type().name().equals(name)) continue;
      if (newest == null || each.type().version() > newest.type().version()) newest = each;
    }
    return Optional.ofNullable(newest);
  }
}
