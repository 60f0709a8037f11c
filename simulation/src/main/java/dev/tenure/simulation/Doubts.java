package dev.tenure.simulation;

import dev.tenure.persistence.incident.IncidentRow;
import dev.tenure.sharding.loop.Loop;
import dev.tenure.sharding.workflow.Remedy;
import dev.tenure.sharding.workflow.RepairTarget;
import dev.tenure.sharding.workflow.Workflows;
import dev.tenure.simulation.Outside.Call;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.audit.Violation;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The people who decide about a call when the engine cannot tell how it came out. They look at what
 * happened outside before.
 */
final class Doubts {
  /** Within this time a node records what a call did whose owner is over. */
  private static final Duration KEPT_WITHIN = Duration.ofSeconds(5);

  private static final String PLACE = "judge";

  private final Outside outside;
  private final Cluster cluster;
  private final Checker checker;
  private final People people;
  private final Workflows client;
  private final Chance chance;
  private final Loop loop;
  private int judged;

  /** Since when a person waits for the record. */
  private final Map<Call, Instant> waiting = new HashMap<>();

  Doubts(
      Outside outside, Cluster cluster, Checker checker, People people, Chance chance, Loop loop) {
    this.client = cluster.gateway().workflows();
    this.chance = chance;
    this.outside = outside;
    this.cluster = cluster;
    this.checker = checker;
    this.people = people;
    this.loop = loop;
  }

  /** What the workflow waits for a person to say, if that is so. */
  static Optional<Incident.Indeterminate> of(WorkflowState state) {
    return state
        .incident()
        .filter(Incident.Indeterminate.class::isInstance)
        .map(Incident.Indeterminate.class::cast);
  }

  /**
   * Decides about the call, and waits for its record if a node that lives knows what it did: that
   * node has to record it.
   *
   * @param calm whether nothing keeps the node from recording it
   */
  void decide(WorkflowId id, WorkflowState state, Incident.Indeterminate doubt, boolean calm) {
    Call call = new Call(id.value(), state.start().runId(), doubt.operation().value());
    boolean isKnown = outside.toldOn(call).filter(cluster::mayRecord).isPresent();
    boolean isRecorded = checker.isRecorded(call);
    if (!isKnown || isRecorded) judge(id, call.run(), doubt.operation(), isRecorded);
    else if (calm) awaitRecord(call);
  }

  private void awaitRecord(Call call) {
    Instant now = loop.instant();
    Instant since = waiting.putIfAbsent(call, now);
    if (since == null) loop.after(KEPT_WITHIN, "a person looks again", () -> {});
    else
      Violation.require(
          now.isBefore(since.plus(KEPT_WITHIN)),
          "I6",
          call + " was done on a node that lives, and its record does not say so");
  }

  /**
   * Only the other system knows how the call came out: what it did is said, and what it did not do
   * is ordered or given up. At times the verifier is asked again, mostly when the call is on
   * record.
   */
  private void judge(WorkflowId id, String run, OperationId operation, boolean isRecorded) {
    String note = "looked at " + ++judged;
    people
        .answers()
        .to(
            "the record of %s of %s".formatted(operation, id),
            client.activityRecord(id, run, operation),
            found -> {});
    Optional<String> effect = outside.result(new Call(id.value(), run, operation.value()));
    Remedy remedy = remedy(effect, isRecorded);
    RepairTarget target = new RepairTarget(operation, Optional.of(run), Optional.empty());
    people.order(
        "the judgement of %s of %s".formatted(operation, id),
        id,
        chance.half(PLACE)
            ? client.incident(id).thenCompose(found -> resolve(found, operation, remedy, note))
            : say(id, target, remedy, note),
        event -> says(event, operation, remedy, note));
  }

  private Remedy remedy(Optional<String> effect, boolean isRecorded) {
    int choice = chance.below(PLACE, 4);
    if (isRecorded ? choice > 0 : choice == 3) return Remedy.VERIFY_AGAIN;
    if (effect.isPresent()) return new Remedy.Complete(People.text(effect.get()));
    return choice == 2
        ? new Remedy.Fail(Failure.permanent("given up", "it did not happen"))
        : Remedy.RUN_AGAIN;
  }

  /** By the list of incidents, where another one may stand by now. */
  private CompletionStage<Boolean> resolve(
      Optional<IncidentRow> found, OperationId operation, Remedy remedy, String note) {
    return found
        .filter(row -> Remedy.isFor(row) && row.operation().equals(Optional.of(operation.value())))
        .map(row -> client.resolve(row, remedy, note))
        .orElse(CompletableFuture.completedStage(false));
  }

  private CompletionStage<Boolean> say(
      WorkflowId id, RepairTarget target, Remedy remedy, String note) {
    return switch (remedy) {
      case Remedy.VerifyAgain again -> client.verifyAgain(id, target.operation(), note);
      case Remedy.RunAgain again -> client.retryStep(id, target, note);
      case Remedy.Complete(Payload result) ->
          client.conclude(id, target, new Outcome.Succeeded(result), note);
      case Remedy.Fail(Failure failure) ->
          client.conclude(id, target, new Outcome.Failed(failure), note);
    };
  }

  private static boolean says(Event event, OperationId operation, Remedy remedy, String note) {
    return switch (remedy) {
      case Remedy.VerifyAgain again ->
          event instanceof Event.IncidentResolved resolved && resolved.note().equals(note);
      case Remedy.RunAgain again ->
          event instanceof Event.Retried one && one.operation().equals(operation);
      case Remedy.Complete _, Remedy.Fail _ ->
          event instanceof Event.Concluded one
              && one.operation().equals(operation)
              && one.note().equals(note);
    };
  }
}
