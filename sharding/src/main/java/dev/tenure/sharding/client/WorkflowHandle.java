package dev.tenure.sharding.client;

import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.sharding.message.Description;
import dev.tenure.sharding.payload.Exceptions;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.sharding.workflow.WorkflowError;
import dev.tenure.sharding.workflow.Workflows;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.QueryDefinition;
import dev.tenure.workflow.SignalDefinition;
import dev.tenure.workflow.TypeRef;
import dev.tenure.workflow.UpdateDefinition;
import dev.tenure.workflow.UpdateRejectedException;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.Outcome;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One workflow, known by its id. It holds nothing open and may be kept, or made again, at any time.
 *
 * @param <R> what it results in
 */
public final class WorkflowHandle<R> {
  private static final Duration WAIT_ROUND = Duration.ofMinutes(5);

  private final Workflows workflows;
  private final PayloadCodec codec;
  private final WorkflowId id;
  private final Type resultType;

  /** The run whose result is meant; the newest one when empty. */
  private final Optional<String> runId;

  WorkflowHandle(
      Workflows workflows,
      PayloadCodec codec,
      WorkflowId id,
      Type resultType,
      Optional<String> runId) {
    this.workflows = workflows;
    this.codec = codec;
    this.id = id;
    this.resultType = resultType;
    this.runId = runId;
  }

  public WorkflowId id() {
    return id;
  }

  /**
   * Waits for the result, as long as it takes; throws {@link WorkflowFailedException} when there
   * will be none. A handle that a start returned means the result of that start, also when another
   * one has taken its place; any other means the newest.
   */
  public R result() {
    while (true) {
      Optional<Workflows.Ended> ended = Answers.of(workflows.result(id, runId, WAIT_ROUND));
      if (ended.isPresent()) return resultOf(ended.get());
    }
  }

  /** As {@link #result()}; throws {@link WorkflowError.StillRunning} when the time is over. */
  public R result(Duration wait) {
    return resultOf(
        Answers.of(workflows.result(id, runId, wait))
            .orElseThrow(() -> new WorkflowError.StillRunning(id, wait)));
  }

  @SuppressWarnings("unchecked")
  private R resultOf(Workflows.Ended ended) {
    return (R) value(ended.outcome(), resultType, "workflow \"" + id + "\"");
  }

  /** Tells it something; accepted, and durable, when this returns. */
  public void signal(String name, Object payload) {
    send(name, payload(payload, "the payload of " + name), Optional.empty());
  }

  /** As {@link #signal(String, Object)}, checked by the compiler. */
  public <T> void signal(SignalDefinition<T> signal, T payload) {
    send(signal.name(), payload(signal, payload), Optional.empty());
  }

  /**
   * @param signalId the same again is accepted again, and received once
   */
  public void signal(String name, Object payload, String signalId) {
    send(name, payload(payload, "the payload of " + name), Optional.of(signalId));
  }

  /**
   * @param signalId the same again is accepted again, and received once
   */
  public <T> void signal(SignalDefinition<T> signal, T payload, String signalId) {
    send(signal.name(), payload(signal, payload), Optional.of(signalId));
  }

  private <T> Payload payload(SignalDefinition<T> signal, T payload) {
    return payload(payload, signal.payload().type(), "the payload of " + signal.name());
  }

  private void send(String name, Payload payload, Optional<String> signalId) {
    SignalResult result = Answers.of(workflows.signal(id, name, payload, signalId));
    String why =
        switch (result) {
          case SignalResult.Accepted accepted -> "";
          case SignalResult.Duplicate duplicate -> "";
          case SignalResult.UnknownWorkflow unknown -> "there is no such workflow";
          case SignalResult.Closed closed -> "the workflow has ended";
          case SignalResult.Indeterminate open ->
              "it is not known whether it was accepted before; an operator has to look";
          case SignalResult.InboxFull full ->
              full.maxPending() + " signals wait for it already; try again later";
          case SignalResult.InvalidSignal(String reason) -> reason;
        };
    if (!why.isEmpty()) throw new SignalRefusedException(id, name, why, result);
  }

  /** Asks a question that changes nothing. */
  public <T> T query(String name, Class<T> answer) {
    return query(name, null, TypeRef.of(answer));
  }

  public <T> T query(String name, Object input, Class<T> answer) {
    return query(name, input, TypeRef.of(answer));
  }

  public <T> T query(String name, Object input, TypeRef<T> answer) {
    return ask(name, payload(input, "the input of query " + name), answer);
  }

  /** As {@link #query(String, Class)}, checked by the compiler. */
  public <O> O query(QueryDefinition<Void, O> query) {
    return query(query, null);
  }

  public <I, O> O query(QueryDefinition<I, O> query, I input) {
    String what = "the input of query " + query.name();
    return ask(query.name(), payload(input, query.input().type(), what), query.answer());
  }

  @SuppressWarnings("unchecked")
  private <T> T ask(String name, Payload asked, TypeRef<T> answer) {
    return (T)
        codec.read(
            Answers.of(workflows.query(id, name, asked)),
            answer.type(),
            "the answer to query " + name);
  }

  /**
   * Changes something and waits for the answer; throws {@link UpdateRejectedException} when the
   * workflow says no.
   */
  public <T> T update(String name, Object input, Class<T> answer) {
    return update(workflows.newId(), name, input, TypeRef.of(answer));
  }

  /** As {@link #update(String, Object, Class)}, checked by the compiler. */
  public <I, O> O update(UpdateDefinition<I, O> update, I input) {
    return update(workflows.newId(), update, input);
  }

  /**
   * @param updateId the same again gets the same answer
   */
  public <I, O> O update(String updateId, UpdateDefinition<I, O> update, I input) {
    String what = "the input of update " + update.name();
    Payload payload = payload(input, update.input().type(), what);
    return change(updateId, update.name(), payload, update.answer());
  }

  /**
   * @param updateId the same again gets the same answer
   */
  public <T> T update(String updateId, String name, Object input, Class<T> answer) {
    return update(updateId, name, input, TypeRef.of(answer));
  }

  /**
   * @param updateId the same again gets the same answer
   */
  public <T> T update(String updateId, String name, Object input, TypeRef<T> answer) {
    return change(updateId, name, payload(input, "the input of update " + name), answer);
  }

  @SuppressWarnings("unchecked")
  private <T> T change(String updateId, String name, Payload payload, TypeRef<T> answer) {
    Outcome outcome = Answers.of(workflows.update(id, updateId, name, payload));
    return (T)
        value(outcome, answer.type(), "update \"%s\" of workflow \"%s\"".formatted(name, id));
  }

  /** The state of the workflow now. */
  public Description describe() {
    return Answers.of(workflows.describe(id));
  }

  /**
   * Its commits, as they stand in the journal.
   *
   * @param fromVersion counts from 1
   */
  public List<JournalEntry> history(long fromVersion, int max) {
    return Answers.of(workflows.history(id, fromVersion, max));
  }

  /** Asks the workflow to cancel, so that it can clean up; false when it was asked before. */
  public boolean cancel(String reason) {
    return Answers.of(workflows.cancel(id, reason));
  }

  /** Ends it at once, without a word to its code. */
  public boolean terminate(String reason) {
    return Answers.of(workflows.terminate(id, reason));
  }

  /** Pauses it where it is until it is resumed. */
  public boolean pause(String reason) {
    return Answers.of(workflows.pause(id, reason));
  }

  public boolean resume() {
    return Answers.of(workflows.resume(id));
  }

  /** Says that the cause of the incident is mended: the code is replayed and goes on. */
  public boolean resolveIncident(String note) {
    return Answers.of(workflows.resolveIncident(id, note));
  }

  private Payload payload(Object value, String what) {
    return value == null ? Payload.NONE : codec.write(value, value.getClass(), what);
  }

  private Payload payload(Object value, Type type, String what) {
    return value == null ? Payload.NONE : codec.write(value, type, what);
  }

  private Object value(Outcome outcome, Type type, String what) {
    return switch (outcome) {
      case Outcome.Succeeded(Payload value) -> codec.read(value, type, "the result of " + what);
      case Outcome.Failed(var failure) -> {
        if (failure.type().equals(UpdateRejectedException.class.getName()))
          throw new UpdateRejectedException(failure.message());
        Throwable cause =
            Exceptions.toThrowable(failure, what, Thread.currentThread().getContextClassLoader());
        throw new WorkflowFailedException(capital(what) + " failed: " + failure, outcome, cause);
      }
      case Outcome.Cancelled(String reason) -> throw none(what, "was cancelled", reason, outcome);
      case Outcome.Terminated(String reason) -> throw none(what, "was terminated", reason, outcome);
      case Outcome.TimedOut(String which) -> throw none(what, "ran out of time", which, outcome);
    };
  }

  private static WorkflowFailedException none(
      String what, String how, String why, Outcome outcome) {
    return new WorkflowFailedException(
        "%s %s: %s".formatted(capital(what), how, why), outcome, null);
  }

  private static String capital(String what) {
    return Character.toUpperCase(what.charAt(0)) + what.substring(1);
  }

  @Override
  public String toString() {
    return "workflow \"" + id + "\"";
  }
}
