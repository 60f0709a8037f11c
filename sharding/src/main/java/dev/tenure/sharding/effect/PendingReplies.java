package dev.tenure.sharding.effect;

import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.Description;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.message.ReplyTo;
import dev.tenure.workflow.kernel.Reply;
import dev.tenure.workflow.kernel.Start;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** The clients that wait for a workflow's end, or for the answer to an update. */
public final class PendingReplies {
  /**
   * A client waits less than this for one answer. Then it asks again or gives up, and the owner is
   * not told which. A client that gave up must not stay in the list: it would keep the workflow in
   * memory and take another client's place.
   */
  public static final Duration PATIENCE = WorkflowSettings.WAIT_ROUND.plusSeconds(2);

  private record Waiting(ReplyTo replyTo, long since) {}

  /** The limit; further clients are told to ask again. */
  private final int max;

  private final LongSupplier nanos;
  private final Deque<Waiting> ofTheEnd = new ArrayDeque<>(0);
  private final Map<String, Deque<Waiting>> ofUpdates = new HashMap<>(0);
  private int count;

  public PendingReplies(int max, LongSupplier nanos) {
    this.max = max;
    this.nanos = nanos;
  }

  /**
   * @param whereabouts where the code is that a blocked workflow waits for
   */
  public void describe(
      Message.Describe asked,
      WorkflowState state,
      long version,
      Function<WorkflowState, Optional<String>> whereabouts) {
    asked
        .replyTo()
        .tell(
            state.exists()
                ? new Answer.Described(
                    Description.of(state, version, whereabouts.apply(state), asked.about()))
                : new Answer.Unknown());
  }

  public void awaitEnd(Optional<String> runId, ReplyTo replyTo, WorkflowState state) {
    if (!state.exists()) replyTo.tell(new Answer.Unknown());
    else if (runId.isPresent() && mayBeEarlier(runId.get(), state))
      replyTo.tell(new Answer.AnotherRun(state.start().runId()));
    else if (state.outcome().isPresent())
      replyTo.tell(new Answer.Ended(state.status(), state.outcome().get()));
    else if (!isFull(replyTo)) ofTheEnd.add(waiting(replyTo));
  }

  /** Whether the run may be one whose place another start has taken: only the journal knows. */
  private static boolean mayBeEarlier(String runId, WorkflowState state) {
    Start start = state.start();
    return !start.earlier().isEmpty()
        && !start.runId().equals(runId)
        && !start.firstRunId().equals(runId);
  }

  public void awaitUpdate(String updateId, ReplyTo replyTo, WorkflowState state) {
    Optional<Outcome> answer = Optional.ofNullable(state.answeredUpdates().get(updateId));
    if (answer.isPresent()) replyTo.tell(new Answer.Updated(answer.get()));
    else if (state.pendingUpdates().containsKey(updateId)) awaitUpdate(updateId, replyTo);
    else replyTo.tell(new Answer.NotNow("No update \"" + updateId + "\" waits for an answer."));
  }

  public void awaitUpdate(String updateId, ReplyTo replyTo) {
    if (isFull(replyTo)) return;
    ofUpdates.computeIfAbsent(updateId, id -> new ArrayDeque<>(1)).add(waiting(replyTo));
  }

  /** Answers with what the kernel replied; for an update, only with its answer. */
  public void answer(ReplyTo replyTo, Reply reply) {
    switch (reply) {
      case Reply.UpdatePending(String updateId) -> awaitUpdate(updateId, replyTo);
      case Reply.UpdateAnswered(String updateId, Outcome outcome) ->
          replyTo.tell(new Answer.Updated(outcome));
      case Reply.Done r -> replyTo.tell(new Answer.Said(r));
      case Reply.Started r -> replyTo.tell(new Answer.Said(r));
      case Reply.AlreadyStarted r -> replyTo.tell(new Answer.Said(r));
      case Reply.Unknown r -> replyTo.tell(new Answer.Said(r));
      case Reply.AlreadyEnded r -> replyTo.tell(new Answer.Said(r));
      case Reply.AlreadyDone r -> replyTo.tell(new Answer.Said(r));
      case Reply.NotOpen r -> replyTo.tell(new Answer.Said(r));
      case Reply.UpdateConflict r -> replyTo.tell(new Answer.Said(r));
      case Reply.LimitReached r -> replyTo.tell(new Answer.Said(r));
      case Reply.Each r -> replyTo.tell(new Answer.Said(r));
    }
  }

  private Waiting waiting(ReplyTo replyTo) {
    return new Waiting(replyTo, nanos.getAsLong());
  }

  private void forgetTheGone() {
    if (count == 0) return;
    long now = nanos.getAsLong();
    forget(ofTheEnd, now);
    ofUpdates.values().removeIf(waiting -> forget(waiting, now).isEmpty());
  }

  private Deque<Waiting> forget(Deque<Waiting> waiting, long now) {
    while (!waiting.isEmpty() && now - waiting.peek().since() > PATIENCE.toNanos()) {
      waiting.poll();
      count--;
    }
    return waiting;
  }

  private boolean isFull(ReplyTo replyTo) {
    if (count >= max) forgetTheGone();
    if (count >= max) {
      replyTo.tell(new Answer.Busy(max));
      return true;
    }
    count++;
    return false;
  }

  void ended(Status status, Outcome outcome) {
    for (Waiting one : ofTheEnd) one.replyTo().tell(new Answer.Ended(status, outcome));
    count -= ofTheEnd.size();
    ofTheEnd.clear();
  }

  public void updated(String updateId, Outcome outcome) {
    Deque<Waiting> waiting = ofUpdates.remove(updateId);
    if (waiting == null) return;
    count -= waiting.size();
    for (Waiting one : waiting) one.replyTo().tell(new Answer.Updated(outcome));
  }

  /** The owner ends: clients are told to ask the next one. */
  public void dismiss(String why) {
    Answer again = new Answer.Again(why);
    for (Waiting one : ofTheEnd) one.replyTo().tell(again);
    ofUpdates.values().forEach(all -> all.forEach(one -> one.replyTo().tell(again)));
    ofTheEnd.clear();
    ofUpdates.clear();
    count = 0;
  }

  public boolean isEmpty() {
    forgetTheGone();
    return count == 0;
  }
}
