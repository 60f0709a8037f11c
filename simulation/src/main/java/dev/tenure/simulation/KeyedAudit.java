package dev.tenure.simulation;

import dev.tenure.persistence.activity.ActivityKey;
import dev.tenure.persistence.activity.ActivityRecord;
import dev.tenure.persistence.activity.ActivityStatus;
import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.task.TaskStanding;
import dev.tenure.simulation.KeyedParts.Kind;
import dev.tenure.simulation.Outside.Call;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.ResourceVerifier.Mode;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.audit.Violation;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Fork;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * I6 in one workflow, for calls with a key: what the workflow was told is what happened outside,
 * and the store's records and tasks agree with the history.
 */
final class KeyedAudit {
  private final String workflow;
  private final MemoryStorage storage;
  private final Outside outside;

  /** The activities of all runs, and how those came out that did. */
  private final Map<Call, OperationSpec.Activity> calls = new LinkedHashMap<>();

  private final Map<Call, Outcome> outcomes = new HashMap<>();
  private final Set<Call> concluded = new HashSet<>();

  /** Looked at again while the record said how they came out. */
  private final Set<Call> known = new HashSet<>();

  private Optional<Call> inDoubt = Optional.empty();

  /** Calls of this run that were changed outside, and that a person has to confirm. */
  private final Set<Call> changed = new HashSet<>();

  private final Set<Call> confirmed = new HashSet<>();

  /** Of these, those that a new owner has to look up before its code goes on. */
  private final Set<Call> unlooked = new HashSet<>();

  /** What a person confirms who resolves the incident: one names all that differ. */
  private final Set<Call> differing = new HashSet<>();

  private String takenUpOn = "";
  private String run = "";

  KeyedAudit(String workflow, MemoryStorage storage, Outside outside) {
    this.workflow = workflow;
    this.storage = storage;
    this.outside = outside;
  }

  private Call call(OperationId operation) {
    return new Call(workflow, run, operation.value());
  }

  /**
   * @param node the node that commits
   * @param calm whether nothing goes wrong any more
   */
  void read(List<Event> events, String node, boolean calm) {
    // The owner of another node goes on until it hears that it has lost the shard.
    if (!node.equals(takenUpOn)) unlooked.clear();
    boolean copied = events.stream().anyMatch(Event.Forked.class::isInstance);
    for (Event event : events) {
      if (event instanceof Event.Started || Fork.followsRun(event)) {
        run = Fork.start(event).runId();
        outside.begins(run);
        changed.clear();
        unlooked.clear();
      }
      if (!copied) read(event, calm);
    }
  }

  private void read(Event event, boolean calm) {
    if (event instanceof Event.Scheduled e) {
      Violation.require(
          unlooked.isEmpty(), "I6", "a new owner goes on, and does not look up " + unlooked);
      if (e.spec() instanceof OperationSpec.Activity spec && Kind.of(spec.activity()).isPresent())
        calls.put(call(e.operation()), spec);
    } else if (event instanceof Event.Retried e) {
      if (e.unproven()) outside.orders(call(e.operation()));
    } else if (event instanceof Event.Concluded e) concluded.add(call(e.operation()));
    else if (event instanceof Event.Completed e) {
      if (calls.containsKey(call(e.operation()))) completed(call(e.operation()), e.outcome());
    } else if (event instanceof Event.IncidentRaised(var at, Incident.Indeterminate one))
      doubt(call(one.operation()));
    else if (event instanceof Event.IncidentRaised(var at, Incident.ResourceDiffers one))
      differs(call(one.operation()));
    else if (event instanceof Event.IncidentResolved) {
      confirmed.addAll(differing);
      differing.clear();
      inDoubt.filter(call -> calm && isRecorded(call)).ifPresent(known::add);
      inDoubt = Optional.empty();
    }
  }

  /** A node takes the workflow up. */
  void takenUp(String node) {
    takenUpOn = node;
    unlooked.clear();
    unlooked.addAll(changed);
    unlooked.removeAll(confirmed);
  }

  private void differs(Call call) {
    differing.add(call);
    differing.addAll(unlooked);
    unlooked.clear();
    // What a fork has copied was made in another run.
    if (outside.isAmbiguous(call.run()) || !calls.containsKey(call)) return;
    Violation.require(
        changed.contains(call), "I6", call + " is said to differ, and nobody changed it");
    Violation.require(
        !confirmed.contains(call), "I6", call + " is said to differ after a person confirmed it");
  }

  private void doubt(Call call) {
    inDoubt = Optional.of(call);
    Violation.require(
        !known.contains(call), "I6", call + " is in doubt, and its record says how it came out");
  }

  boolean isClaimed(Call call) {
    return calls.containsKey(call) && record(call).isPresent();
  }

  boolean isRecorded(Call call) {
    return record(call).filter(one -> one.status() == ActivityStatus.COMPLETED).isPresent();
  }

  private void completed(Call call, Outcome outcome) {
    outcomes.put(call, outcome);
    OperationSpec.Activity spec = calls.get(call);
    boolean awaitsPerson =
        Kind.of(spec.activity()).flatMap(Kind::mode).equals(Optional.of(Mode.HUMAN_IN_LOOP));
    if (awaitsPerson && outcome instanceof Outcome.Succeeded && outside.isChanged(call))
      changed.add(call);
    if (!spec.isKeyed() || concluded.contains(call) || outside.isAmbiguous(call.run())) return;
    Optional<String> effect = outside.result(call);
    switch (outcome) {
      case Outcome.Succeeded(var value) -> {
        String told = new String(value.bytes(), StandardCharsets.UTF_8);
        Violation.require(
            effect.filter(told::contains).isPresent(),
            "I6",
            "%s came to %s, and outside to %s".formatted(call, told, effect));
      }
      case Outcome.Failed(Failure failure) -> {
        Violation.require(
            failure.outside() != Failure.OutsideEffect.UNPROVEN,
            "I6",
            "%s was shown as failed, and may have had its effect: %s".formatted(call, failure));
        if (failure.type().equals(Failure.RESULT_UNAVAILABLE))
          Violation.require(
              effect.isPresent(), "I6", call + " is said to have had an effect, and had none");
        else requireNoEffect(call, spec, effect);
      }
      case Outcome.TimedOut timedOut -> requireNoEffect(call, spec, effect);
      case Outcome.Cancelled _, Outcome.Terminated _ -> {}
    }
  }

  private static void requireNoEffect(
      Call call, OperationSpec.Activity spec, Optional<String> effect) {
    // What may be repeated proves nothing.
    Violation.require(
        effect.isEmpty() || spec.call().idempotent(), "I6", call + " failed, and had its effect");
  }

  private Optional<ActivityRecord> record(Call call) {
    OperationSpec.Activity spec = calls.get(call);
    ActivityKey key =
        ActivityKey.of(
            WorkflowId.of(workflow),
            call.run(),
            new OperationId(call.operation()),
            spec.activity(),
            spec.call().idempotencyKey().orElseThrow());
    return storage.activities().find(List.of(key)).getFirst();
  }

  /** The workflow is closed, and no message is on its way. */
  void atTheEnd() {
    calls.forEach(
        (call, spec) -> {
          if (spec.isKeyed() && !outside.isAmbiguous(call.run())) settled(call);
          if (spec.isQueued()) removed(call);
        });
  }

  private void settled(Call call) {
    // What was asked for and dropped in one commit has no record.
    Optional<ActivityRecord> found = record(call);
    Outcome outcome = outcomes.get(call);
    if (outcome == null) {
      found.ifPresent(record -> requireOver(call, record));
      return;
    }
    Violation.require(found.isPresent(), "I6", call + " came out and has no record");
    ActivityRecord record = found.get();
    requireOver(call, record);
    if (outcome instanceof Outcome.Succeeded)
      Violation.require(
          record.status() == ActivityStatus.COMPLETED,
          "I6",
          "%s succeeded, and its record says %s".formatted(call, record.status()));
  }

  private static void requireOver(Call call, ActivityRecord record) {
    Violation.require(
        record.status() != ActivityStatus.STARTED,
        "I6",
        call + " is over, and its record says that it may be under way");
  }

  private void removed(Call call) {
    Optional<TaskStanding> left = storage.tasks().standing(List.of(call.task())).getFirst();
    Violation.require(left.isEmpty(), "I6", call + " is over, and has a task: " + left);
  }
}
