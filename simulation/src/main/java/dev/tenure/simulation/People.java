package dev.tenure.simulation;

import dev.tenure.persistence.incident.IncidentFilter;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.persistence.visibility.WorkflowFilter;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.loop.LoopNode;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.sharding.workflow.Remedy;
import dev.tenure.sharding.workflow.StartRequest;
import dev.tenure.sharding.workflow.StartResult;
import dev.tenure.sharding.workflow.Workflows;
import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.InvalidTextError;
import dev.tenure.workflow.LimitExceededException;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.StartPolicy;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.audit.Violation;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** What people ask of the workflows, and what they are promised. */
final class People {
  private static final PayloadCodec CODEC = PayloadCodec.standard();
  private static final String PLACE = "request";

  private final Workflows client;
  private final Senders senders;
  private final Forks forks;
  private final Chance chance;
  private final Checker checker;
  private final Answers answers = new Answers();
  private final OddTexts odd;
  private final Supplier<List<WorkflowRow>> rows;
  private final Map<String, StartRequest> starts = new HashMap<>();

  /** Under which key an id was started, if only once, and each of its runs. */
  private final Map<String, String> keys = new HashMap<>();

  private int asked;

  /**
   * @param nodes on which a workflow lives
   * @param crashes when a node died, if it did
   */
  People(
      LoopNode gateway,
      Function<WorkflowId, Optional<LoopNode>> nodes,
      Chance chance,
      OddTexts odd,
      Checker checker,
      Supplier<List<WorkflowRow>> rows,
      Function<LoopNode, Optional<Senders.Moment>> crashes,
      Supplier<Senders.Moment> now) {
    this.client = gateway.workflows();
    this.chance = chance;
    this.odd = odd;
    this.checker = checker;
    this.rows = rows;
    this.forks = new Forks(client, chance, checker, answers, rows);
    this.senders = new Senders(gateway, nodes, crashes, now, chance, odd, checker, answers);
  }

  Senders senders() {
    return senders;
  }

  Forks forks() {
    return forks;
  }

  Answers answers() {
    return answers;
  }

  // --- starts

  void start(String id, Program program) {
    Payload input = CODEC.write(program, Program.class, "the program");
    StartRequest request = StartRequest.of(id, "simulated", input).request("key of " + id);
    if (chance.below("start", 3) > 0) request = request.version(1 + chance.below("start", 2));
    if (chance.below("start", 8) == 7)
      request = request.executionTimeout(Duration.ofHours(1 + chance.below("start", 48)));
    if (chance.half("start")) request = request.attributes(Map.of("root", Attribute.of(id)));
    starts.put(id, request);
    start(request);
  }

  /** I5: an id is started under one key, and never under another one. */
  private void start(StartRequest request) {
    String id = request.id().value();
    answers.to(
        "a start of " + id,
        client.start(request),
        result -> {
          if (!(result instanceof StartResult.Started started)) return;
          String key = request.request().orElseThrow();
          if (request.policy() == StartPolicy.REJECT_DUPLICATE) requireOneKey(id, key);
          requireOneKey(started.runId(), key);
          checker.promised("the start", id, event -> starts(event, started.runId()));
        });
  }

  private void requireOneKey(String started, String key) {
    String first = keys.putIfAbsent(started, key);
    Violation.require(
        first == null || first.equals(key),
        "I5",
        "%s was started under two keys: %s and %s".formatted(started, first, key));
  }

  private static boolean starts(Event event, String runId) {
    return event instanceof Event.Started one && one.start().runId().equals(runId)
        || event instanceof Event.StartedAgain again && again.start().runId().equals(runId)
        || event instanceof Event.ContinuedAsNew next && next.start().runId().equals(runId);
  }

  private void startAgain() {
    String id = "w" + chance.below(PLACE, 3);
    StartRequest first = starts.get(id);
    switch (chance.below(PLACE, 6)) {
      case 0 -> start(first);
      case 3 -> start(again(first, StartPolicy.ALLOW_IF_CLOSED));
      case 4 -> start(again(first, StartPolicy.TERMINATE_IF_RUNNING));
      case 1 -> start(first.request("another key of " + id));
      default -> {
        Program other = new Program(0, List.of(), false, false);
        Payload body = CODEC.write(other, Program.class, "the program");
        start(StartRequest.of(id, "simulated", body).request("key of another body"));
      }
    }
  }

  /** A start with a signal: the request does both. */
  private StartRequest again(StartRequest first, StartPolicy policy) {
    senders.signal(first.id(), "x", "beside " + asked);
    return first.ifTaken(policy).request("key " + asked + " of " + first.id());
  }

  // --- requests

  private WorkflowId anyone() {
    List<WorkflowRow> all = rows.get();
    return all.isEmpty() ? WorkflowId.of("w0") : all.get(chance.below(PLACE, all.size())).id();
  }

  void request() {
    try {
      ask();
    } catch (LimitExceededException | InvalidTextError refused) {
      // The reason cannot be used: the caller is told at once.
    }
  }

  private void ask() {
    WorkflowId id = anyone();
    int number = chance.below(PLACE, 6);
    String note = odd.reason("request " + ++asked);
    switch (chance.below(PLACE, 28)) {
      case 0, 1, 2, 3, 4, 5, 6 -> {
        String name = SignalParts.NAMES.get(chance.below(PLACE, 3));
        for (int i = 0; i <= chance.below(PLACE, 3); i++)
          senders.signal(id, name, "s" + (number + i));
        // A sender who is not sure that a signal arrived sends it again.
        if (chance.below(PLACE, 4) == 3) senders.signal(id, name, "s" + number);
      }
      case 7, 8, 9 -> update(id, "u" + number, "say", number == 5 ? "bad" : "w" + number);
      case 10 -> update(id, "v" + number, "slowly", "w" + number);
      case 11 -> cancel(id, note);
      case 12, 13 ->
          order(
              "a pause",
              id,
              client.pause(id, note),
              event -> event instanceof Event.Paused(var at, String why) && why.equals(note));
      case 14, 15 -> order("a resume", id, client.resume(id), Event.Resumed.class::isInstance);
      case 16 -> {
        if (chance.below(PLACE, 4) == 0) terminate(id, note);
      }
      case 17 -> forks.any(id, "fork " + asked);
      case 18 -> move(id, 1 + chance.below(PLACE, 2), note);
      case 19, 20 -> startAgain();
      case 21 -> retry(id);
      case 22 -> senders.burst(id, "request " + asked);
      case 23 -> answers.to("a description", client.describe(id), description -> {});
      case 24 -> lists(id);
      case 25 -> result(id);
      default -> query(id);
    }
  }

  /** Asks for what changes a workflow: what is answered with yes is on record. */
  void order(
      String what, WorkflowId id, CompletionStage<Boolean> asked, Predicate<Event> onRecord) {
    answers.to(
        what + " of " + id,
        asked,
        first -> {
          if (first) checker.promised(what, id.value(), onRecord);
        });
  }

  private void cancel(WorkflowId id, String why) {
    order(
        "a cancel",
        id,
        client.cancel(id, why),
        event ->
            event instanceof Event.CancelRequested(var at, String reason, var digits)
                && reason.equals(why));
  }

  void terminate(WorkflowId id, String why) {
    order(
        "a termination",
        id,
        client.terminate(id, why),
        event ->
            event instanceof Event.Ended(var at, Outcome.Terminated(String reason), var digits)
                && reason.equals(why));
  }

  void resume(WorkflowId id) {
    order("a resume", id, client.resume(id), Event.Resumed.class::isInstance);
  }

  void resolve(WorkflowId id) {
    String note = "mended " + ++asked;
    order(
        "a resolution",
        id,
        client.resolveIncident(id, note),
        event ->
            event instanceof Event.IncidentResolved(var at, String what, var digits)
                && what.equals(note));
  }

  private void move(WorkflowId id, int version, String note) {
    order(
        "a move",
        id,
        client.moveToVersion(id, version, note),
        event ->
            event instanceof Event.Repinned(var at, int to, String what, var digits)
                && what.equals(note)
                && to == version);
  }

  private void retry(WorkflowId id) {
    List<OperationId> open =
        Checker.fold(checker.events(id.value())).openOperations().stream()
            .map(one -> one.id())
            .toList();
    if (open.isEmpty()) return;
    OperationId operation = open.get(chance.below(PLACE, open.size()));
    order(
        "a retry",
        id,
        client.retryStep(id, operation),
        event -> event instanceof Event.Retried one && one.operation().equals(operation));
  }

  // --- updates

  private void update(WorkflowId id, String updateId, String name, String word) {
    answers.to(
        "update %s of %s".formatted(updateId, id),
        client.update(id, updateId, name, text(word)),
        outcome -> {
          if (outcome instanceof Outcome.Succeeded)
            checker.promised(
                "update " + updateId,
                id.value(),
                event ->
                    event instanceof Event.UpdateAnswered(var at, String of, Outcome told)
                        && of.equals(updateId)
                        && told.equals(outcome));
        });
  }

  static Payload text(String value) {
    return CODEC.write(value, String.class, "a text");
  }

  // --- questions

  private void query(WorkflowId id) {
    String name = List.of("trace", "nosy", "meddling", "said", "echo").get(chance.below(PLACE, 5));
    Payload input = name.equals("echo") ? text(odd.of("word")) : Payload.NONE;
    answers.to("query %s of %s".formatted(name, id), client.query(id, name, input), x -> {});
  }

  private void result(WorkflowId id) {
    answers.to(
        "the result of " + id,
        client.result(id, Duration.ofSeconds(1 + chance.below(PLACE, 30))),
        ended ->
            ended.ifPresent(
                one ->
                    checker.promised(
                        "the result",
                        id.value(),
                        event ->
                            event instanceof Event.Ended(var at, Outcome outcome, var digits)
                                && outcome.equals(one.outcome()))));
  }

  private void lists(WorkflowId id) {
    PageRequest page = PageRequest.first(20);
    switch (chance.below(PLACE, 8)) {
      case 6 -> answers.to("records of " + id, client.activityRecords(id, 20), x -> {});
      case 7 ->
          answers.to(
              "many orders to run again",
              client.resolveIncidents(IncidentFilter.ALL, Remedy.RUN_AGAIN, "all at once", page),
              x -> {});
      case 3 -> answers.to("incidents", client.incidents(IncidentFilter.ALL, page), x -> {});
      case 4 ->
          answers.to("their groups", client.incidentGroups(IncidentFilter.ALL, page), x -> {});
      case 5 ->
          answers.to(
              "many resolutions",
              client.resolveIncidents(IncidentFilter.ALL, "all at once", page),
              x -> {});
      case 0 -> answers.to("a list", client.list(WorkflowFilter.ALL, page), x -> {});
      case 1 -> answers.to("a history", client.history(id, 1, 20), x -> {});
      default -> answers.to("the incident of " + id, client.incident(id), x -> {});
    }
  }
}
