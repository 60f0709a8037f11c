package dev.tenure.client;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One workflow, known by its id. It holds nothing open and may be kept, or made again, at any time.
 *
 * @param <O> what it results in
 */
public final class WorkflowHandle<O> {
  /** Shorter than what proxies cut. */
  private static final Duration WAIT_ROUND = Duration.ofSeconds(30);

  private static final Duration WAIT_SLACK = Duration.ofSeconds(15);
  private static final Map<String, String> NO_QUERY = Map.of();

  private final TenureClient client;
  private final String id;
  private final Type output;

  /** The run whose result is meant; the newest one when empty. */
  private final Optional<String> runId;

  WorkflowHandle(TenureClient client, String id, Type output, Optional<String> runId) {
    this.client = client;
    this.id = id;
    this.output = output;
    this.runId = runId;
  }

  public String id() {
    return id;
  }

  /** Tells it something; it is durable when this returns, and this call is received once. */
  public SignalReceipt signal(String name, Object payload) {
    // Taken as the signal's id by the server, which then also watches over the payload.
    ObjectNode body = body("payload", payload);
    return signal(Request.post(path("signal", name), body).idempotencyKey(client.newId()));
  }

  /**
   * @param signalId of the sender's own: sent again at any time by any client, it is received once
   *     and answered in the same way
   */
  public SignalReceipt signal(String name, Object payload, String signalId) {
    ObjectNode body = body("payload", payload).put("signalId", signalId);
    return signal(Request.post(path("signal", name), body).recognisedBy(signalId));
  }

  /** As {@link #signal(String, Object)}, checked by the compiler. */
  public <T> SignalReceipt signal(SignalDefinition<T> signal, T payload) {
    ObjectNode body = body("payload", payload, signal.payload());
    return signal(Request.post(path("signal", signal.name()), body).idempotencyKey(client.newId()));
  }

  /**
   * @param signalId of the sender's own: sent again at any time by any client, it is received once
   *     and answered in the same way
   */
  public <T> SignalReceipt signal(SignalDefinition<T> signal, T payload, String signalId) {
    ObjectNode body = body("payload", payload, signal.payload()).put("signalId", signalId);
    return signal(Request.post(path("signal", signal.name()), body).recognisedBy(signalId));
  }

  private SignalReceipt signal(Request request) {
    return SignalReceipt.of(client.send(request));
  }

  /**
   * Waits for the result, as long as it takes; throws {@link WorkflowFailedException} when there
   * will be none. A handle that a start returned means the result of that start, also when another
   * one has taken its place; any other means the newest.
   */
  public O result() {
    while (true) {
      Optional<WorkflowOutcome> outcome = outcome(WAIT_ROUND);
      if (outcome.isPresent()) return resultOf(outcome.get());
    }
  }

  /** As {@link #result()}; throws {@link TenureException.StillRunning} when the time is over. */
  public O result(Duration wait) {
    return resultOf(
        outcome(wait)
            .orElseThrow(
                () ->
                    new TenureException.StillRunning(
                        Problem.of(
                            "ResultTimeout",
                            "Workflow \"%s\" is still open after %s.".formatted(id, wait)))));
  }

  private O resultOf(WorkflowOutcome outcome) {
    if (outcome.status() != WorkflowStatus.COMPLETED) throw new WorkflowFailedException(outcome);
    return read(outcome.result(), output, "the result of workflow \"" + id + "\"");
  }

  /** Waits for the end and returns the outcome, a success or not; empty when the time is over. */
  public Optional<WorkflowOutcome> outcome(Duration wait) {
    long end = System.nanoTime() + wait.toNanos();
    while (true) {
      long left = Math.max(0, Math.min(end - System.nanoTime(), WAIT_ROUND.toNanos()));
      // The server waits whole seconds: rounded up, or the last of them would be spent asking.
      long seconds = Duration.ofNanos(left).plusMillis(999).toSeconds();
      Answer answer =
          client.send(
              Request.get(path("result"), runId.map(run -> Map.of("runId", run)).orElse(NO_QUERY))
                  .header("Prefer", "wait=" + seconds)
                  .timeLimit(Duration.ofSeconds(seconds).plus(WAIT_SLACK)));
      if (answer.flag("ended")) return Optional.of(WorkflowOutcome.of(answer));
      if (System.nanoTime() - end >= 0) return Optional.empty();
    }
  }

  /** Asks its code a question that changes nothing. */
  public <T> T query(String name, Class<T> answer) {
    return query(name, null, answer);
  }

  public <T> T query(String name, Object input, Class<T> answer) {
    return query(name, input, (Type) answer);
  }

  public <T> T query(String name, Object input, TypeReference<T> answer) {
    return query(name, input, answer.getType());
  }

  /** As {@link #query(String, Class)}, checked by the compiler. */
  public <T> T query(QueryDefinition<Void, T> query) {
    return query(query, null);
  }

  public <I, T> T query(QueryDefinition<I, T> query, I input) {
    return ask(query.name(), body("input", input, query.input()), query.answer());
  }

  private <T> T query(String name, Object input, Type answer) {
    return ask(name, body("input", input), answer);
  }

  private <T> T ask(String name, ObjectNode body, Type answer) {
    Answer said = client.send(Request.post(path("query", name), body));
    return read(said.optional("result"), answer, "the answer to query " + name);
  }

  /**
   * Has its code change something, once, and waits for the answer; throws {@link
   * TenureException.CodeRefused} when the code says no.
   */
  public <T> T update(String name, Object payload, Class<T> answer) {
    return update(client.newId(), name, payload, (Type) answer);
  }

  /**
   * @param updateId of the sender's own: sent again, it is carried out once and answered in the
   *     same way
   */
  public <T> T update(String updateId, String name, Object payload, Class<T> answer) {
    return update(updateId, name, payload, (Type) answer);
  }

  public <T> T update(String updateId, String name, Object payload, TypeReference<T> answer) {
    return update(updateId, name, payload, answer.getType());
  }

  /** As {@link #update(String, Object, Class)}, checked by the compiler. */
  public <I, T> T update(UpdateDefinition<I, T> update, I payload) {
    return update(client.newId(), update, payload);
  }

  /**
   * @param updateId of the sender's own: sent again, it is carried out once and answered in the
   *     same way
   */
  public <I, T> T update(String updateId, UpdateDefinition<I, T> update, I payload) {
    ObjectNode body = body("payload", payload, update.input());
    return change(updateId, update.name(), body, update.answer());
  }

  private <T> T update(String updateId, String name, Object payload, Type answer) {
    return change(updateId, name, body("payload", payload), answer);
  }

  private <T> T change(String updateId, String name, ObjectNode body, Type answer) {
    body.put("updateId", updateId);
    Answer said = client.send(Request.post(path("update", name), body).recognisedBy(updateId));
    return read(said.optional("result"), answer, "the answer to update " + name);
  }

  /** The state of the workflow now. */
  public WorkflowDescription describe() {
    return WorkflowDescription.of(client.send(Request.get(path(), NO_QUERY)));
  }

  /** Its commits from the first on, read page by page as far as the stream is. */
  public Stream<Commit> history() {
    return history(0);
  }

  /**
   * @param afterVersion only the commits that came later
   */
  public Stream<Commit> history(long afterVersion) {
    return history(afterVersion, false);
  }

  /** Its whole history, with the bytes of the journal in {@link Commit#document}. */
  public Stream<Commit> storedHistory() {
    return history(0, true);
  }

  private Stream<Commit> history(long afterVersion, boolean stored) {
    return Pages.stream(
        Optional.of(Long.toString(afterVersion)),
        after -> {
          Map<String, String> query =
              stored
                  ? Map.of("after", after.orElseThrow(), "stored", "true")
                  : Map.of("after", after.orElseThrow());
          Answer page = client.send(Request.get(path("history"), query));
          return new Pages.Page<>(page.all("commits", Commit::of), page.optionalText("next"));
        });
  }

  /**
   * Asks it to cancel, so that it can clean up.
   *
   * @return false when it was asked before, which an earlier try of this very call may have done
   */
  public boolean cancel(String reason) {
    return order("cancel", reason, WorkflowStatus.CANCELLED);
  }

  /** Ends it at once, without a word to its code; false when it was terminated before. */
  public boolean terminate(String reason) {
    return order("terminate", reason, WorkflowStatus.TERMINATED);
  }

  // Nothing leads out of what these two lead to: they may be tried again without a key.
  private boolean order(String word, String reason, WorkflowStatus end) {
    try {
      return client.send(Request.post(path(word), body("reason", reason))).flag("applied");
    } catch (TenureException.Closed closed) {
      // An earlier try went through, and its answer was lost.
      if (closed.mayHaveBeenDone() && closed.status() == end) return false;
      throw closed;
    }
  }

  /**
   * Holds it where it stands until it is resumed. Tried again only when an earlier try did nothing:
   * another client may have resumed it in the meantime. {@link TenureException.OutcomeUnknown}
   * leaves that to the caller.
   *
   * @return false when it was paused before
   */
  public boolean pause(String reason) {
    Request request = Request.post(path("pause"), body("reason", reason)).notRepeatable();
    return client.send(request).flag("applied");
  }

  /** Lets it go on; tried again as {@link #pause} is. False when it was not paused. */
  public boolean resume() {
    return client
        .send(Request.post(path("resume"), client.object()).notRepeatable())
        .flag("applied");
  }

  /**
   * The incident that keeps the workflow from going on, if it has one; for operators, as are all
   * methods below.
   */
  public Optional<Incident> incident() {
    try {
      return Optional.of(Incident.of(client.send(Request.get(path("incident"), NO_QUERY))));
    } catch (TenureException.NotFound none) {
      if (none.code().equals("IncidentNotFound")) return Optional.empty();
      throw none;
    }
  }

  /**
   * Says that the cause of its incident is mended: its code is replayed and goes on. Tried again as
   * {@link #pause} is. False when it has none.
   */
  public boolean resolveIncident(String note) {
    return repair(Request.post(path("resolve-incident"), client.object().put("note", note)));
  }

  /** Its keyed activities, also those whose outcome cannot be told. */
  public WorkflowActivities activities() {
    return new WorkflowActivities(client, id);
  }

  /**
   * Has a step or an activity tried again now that failed or waits for its next attempt; false when
   * an attempt is under way. An activity is run again although it may have had its effect. Tried
   * again as {@link #pause} is.
   *
   * @param operation as {@link WorkflowDescription#open} has it
   */
  public boolean retryStep(String operation) {
    return retryStep(AttemptRef.of(operation), "");
  }

  /**
   * As above; false also when the attempt that is meant was made meanwhile.
   *
   * @param note why; it stands with the incident that this resolves, and may be empty
   */
  public boolean retryStep(AttemptRef meant, String note) {
    ObjectNode body = client.object().put("operation", meant.operation());
    meant.writeTo(body);
    if (!note.isEmpty()) body.put("note", note);
    return repair(Request.post(path("retry-step"), body));
  }

  /** Pins its run to another version of its code, if that fits; tried again as pause is. */
  public boolean moveToVersion(int version, String note) {
    return repair(
        Request.post(path("move"), client.object().put("version", version).put("note", note)));
  }

  private boolean repair(Request request) {
    return client.send(request.notRepeatable()).flag("applied");
  }

  /** A new workflow with its history up to before that operation, which is run again. */
  public WorkflowHandle<O> fork(String from) {
    return fork(ForkRequest.from(from));
  }

  public WorkflowHandle<O> fork(ForkRequest request) {
    ObjectNode body = client.object().put("from", request.from());
    request.id().ifPresent(wanted -> body.put("id", wanted));
    request.version().ifPresent(number -> body.put("version", number));
    Answer forked =
        client.send(
            Request.post(path("fork"), body)
                .idempotencyKey(request.idempotencyKey().orElseGet(client::newId)));
    return new WorkflowHandle<>(
        client, forked.text("workflowId"), output, Optional.of(forked.text("runId")));
  }

  private String path(String... more) {
    return Request.workflow(id, more);
  }

  private ObjectNode body(String field, Object value) {
    ObjectNode body = client.object();
    if (value != null)
      body.set(field, client.payloads().encrypted(client.payloads().write(value, "the " + field)));
    return body;
  }

  private ObjectNode body(String field, Object value, Type type) {
    ObjectNode body = client.object();
    if (value != null)
      body.set(
          field, client.payloads().encrypted(client.payloads().write(value, type, "the " + field)));
    return body;
  }

  private <T> T read(Optional<JsonNode> value, Type type, String what) {
    if (value.isEmpty() || value.get().isNull() && type != JsonNode.class) return null;
    return client.payloads().read(value.get(), type, what);
  }

  @Override
  public String toString() {
    return "workflow \"" + id + "\"";
  }
}
