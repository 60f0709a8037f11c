package dev.tenure.sharding.workflow;

import dev.tenure.workflow.kernel.Reply;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** Those who wait for a workflow's end, or for the answer to an update. */
final class Askers {
  /** More are told to come again. */
  static final int MAX = 1_000;

  /** Nobody asks for longer than that without asking again. */
  static final Duration KEPT = Duration.ofSeconds(30);

  private record Waiting(Asker asker, long since) {
    void tell(Answer answer) {
      asker.tell(answer);
    }
  }

  private final LongSupplier nanos;
  private final List<Waiting> ofTheEnd = new ArrayList<>(0);
  private final Map<String, List<Waiting>> ofUpdates = new HashMap<>(0);
  private int count;

  Askers(LongSupplier nanos) {
    this.nanos = nanos;
  }

  void describe(Asker asker, WorkflowState state, long version) {
    asker.tell(
        state.exists()
            ? new Answer.Described(Description.of(state, version))
            : new Answer.Unknown());
  }

  void awaitEnd(Asker asker, WorkflowState state) {
    if (!state.exists()) asker.tell(new Answer.Unknown());
    else if (state.outcome().isPresent())
      asker.tell(new Answer.Ended(state.status(), state.outcome().get()));
    else if (!isFull(asker)) ofTheEnd.add(waiting(asker));
  }

  void awaitUpdate(String updateId, Asker asker, WorkflowState state) {
    Optional<Outcome> answer = Optional.ofNullable(state.answeredUpdates().get(updateId));
    if (answer.isPresent()) asker.tell(new Answer.Updated(answer.get()));
    else if (state.pendingUpdates().containsKey(updateId)) awaitUpdate(updateId, asker);
    else asker.tell(new Answer.NotNow("No update \"" + updateId + "\" waits for an answer."));
  }

  void awaitUpdate(String updateId, Asker asker) {
    if (isFull(asker)) return;
    ofUpdates.computeIfAbsent(updateId, id -> new ArrayList<>(1)).add(waiting(asker));
  }

  private Waiting waiting(Asker asker) {
    return new Waiting(asker, nanos.getAsLong());
  }

  /** Who waits for long has asked again meanwhile, or is gone. */
  private void forgetTheOld() {
    long now = nanos.getAsLong();
    Predicate<Waiting> isOld = one -> now - one.since > KEPT.toNanos();
    ofTheEnd.removeIf(isOld);
    ofUpdates.values().forEach(all -> all.removeIf(isOld));
    ofUpdates.values().removeIf(List::isEmpty);
    count = ofTheEnd.size() + ofUpdates.values().stream().mapToInt(List::size).sum();
  }

  /** Tells an asker what the kernel says; of an update, only its answer. */
  void answer(Asker asker, Reply reply) {
    switch (reply) {
      case Reply.UpdatePending(String updateId) -> awaitUpdate(updateId, asker);
      case Reply.UpdateAnswered(String updateId, Outcome outcome) ->
          asker.tell(new Answer.Updated(outcome));
      case Reply.Done r -> asker.tell(new Answer.Said(r));
      case Reply.Started r -> asker.tell(new Answer.Said(r));
      case Reply.AlreadyStarted r -> asker.tell(new Answer.Said(r));
      case Reply.Unknown r -> asker.tell(new Answer.Said(r));
      case Reply.AlreadyEnded r -> asker.tell(new Answer.Said(r));
      case Reply.AlreadyDone r -> asker.tell(new Answer.Said(r));
      case Reply.NotOpen r -> asker.tell(new Answer.Said(r));
      case Reply.UpdateConflict r -> asker.tell(new Answer.Said(r));
      case Reply.LimitReached r -> asker.tell(new Answer.Said(r));
      case Reply.Each r -> asker.tell(new Answer.Said(r));
    }
  }

  private boolean isFull(Asker asker) {
    if (count >= MAX) forgetTheOld();
    if (count >= MAX) {
      asker.tell(new Answer.Busy(MAX));
      return true;
    }
    count++;
    return false;
  }

  void ended(Status status, Outcome outcome) {
    for (Waiting asker : ofTheEnd) asker.tell(new Answer.Ended(status, outcome));
    count -= ofTheEnd.size();
    ofTheEnd.clear();
  }

  void updated(String updateId, Outcome outcome) {
    List<Waiting> askers = ofUpdates.remove(updateId);
    if (askers == null) return;
    count -= askers.size();
    for (Waiting asker : askers) asker.tell(new Answer.Updated(outcome));
  }

  /** The owner goes: the next one can be asked. */
  void dismiss(String why) {
    for (Waiting asker : ofTheEnd) asker.tell(new Answer.Again(why));
    ofUpdates.values().forEach(all -> all.forEach(one -> one.tell(new Answer.Again(why))));
    ofTheEnd.clear();
    ofUpdates.clear();
    count = 0;
  }

  boolean isEmpty() {
    return count == 0;
  }
}
