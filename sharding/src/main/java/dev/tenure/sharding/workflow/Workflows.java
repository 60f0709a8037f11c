package dev.tenure.sharding.workflow;

import dev.tenure.persistence.activity.ActivityRecord;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.incident.IncidentFilter;
import dev.tenure.persistence.incident.IncidentGroup;
import dev.tenure.persistence.incident.IncidentRow;
import dev.tenure.persistence.signal.SignalRequest;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.persistence.visibility.Page;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.persistence.visibility.WorkflowFilter;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.Description;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.program.Inquiry;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.StartPolicy;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Reply;
import dev.tenure.workflow.kernel.SignalContent;
import dev.tenure.workflow.kernel.Start;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The requests to workflows, from any node: each is answered by the workflow's owner or from the
 * store. An answer means that it is durable; a failure is a {@link WorkflowError} or one of the
 * storage. Nothing here blocks.
 */
public final class Workflows {
  /** For how long an owner that does not answer is asked again. */
  public static final Duration ASK_LIMIT = Duration.ofSeconds(20);

  /** The most commits in one page of a history. */
  public static final int HISTORY_PAGE_MAX = 1_000;

  /** The most records of activities in one answer. */
  public static final int ACTIVITY_RECORDS_MAX = 1_000;

  /** How a workflow came out. */
  public record Ended(Status status, Outcome outcome) {}

  private final Host host;
  private final Caller caller;
  private final Repairs repairs;
  private final ActivityRepairs activities;
  private final RunResults results;

  public Workflows(Host host) {
    this.host = host;
    this.caller = new Caller(host);
    this.activities = new ActivityRepairs(host, this);
    this.repairs = new Repairs(host, this, activities);
    this.results = new RunResults(host);
  }

  /** Starts the workflow once: a start with the same request key is recognised as a repetition. */
  public CompletionStage<StartResult> start(StartRequest request) {
    // Without a key of the caller's, this call's own tries are still recognised.
    String key = request.request().orElseGet(host.ids);
    Start start =
        new Start(
            request.id(),
            host.ids.get(),
            new WorkflowType(request.type(), request.version().orElse(WorkflowType.UNDECIDED)),
            host.codec.received(request.input()),
            host.seeds.getAsLong(),
            Optional.of(key),
            Optional.empty(),
            request.executionTimeout(),
            request.attributes(),
            request.trace(),
            List.of(),
            Optional.empty(),
            request.kind(),
            request.accounting());
    // For the first try only: after it, the id may have been used.
    if (request.policy() == StartPolicy.REJECT_DUPLICATE) host.expectFresh(request.id());
    return caller
        .ask(
            request.id(),
            replyTo ->
                new Message.Tell(new Command.StartWorkflow(start, request.policy()), replyTo),
            ASK_LIMIT)
        .thenApply(answer -> started(request.id(), answer));
  }

  /**
   * Starts a new workflow whose history is another's up to before one of its operations: outcomes
   * before that are copied; the operation and all that were open at its time are run again. The
   * other workflow, open or closed, stays as it is.
   */
  public CompletionStage<StartResult> fork(ForkRequest request) {
    ForkRequest keyed = request.request().isPresent() ? request : request.request(host.ids.get());
    return host.reading(() -> new Forks(host).make(keyed))
        .thenCompose(
            events ->
                caller.ask(
                    keyed.id(),
                    replyTo -> new Message.Tell(new Command.ForkWorkflow(events), replyTo),
                    ASK_LIMIT))
        .thenApply(answer -> started(keyed.id(), answer));
  }

  private static StartResult started(WorkflowId id, Answer answer) {
    Reply reply = Refusals.reply(id, answer);
    return switch (reply) {
      case Reply.Started(WorkflowId of, String runId) -> new StartResult.Started(of, runId);
      case Reply.AlreadyStarted taken ->
          taken.sameRequest()
              ? new StartResult.Started(taken.id(), taken.runId())
              : new StartResult.Duplicate(taken.id(), taken.runId(), taken.status());
      case Reply.Done _,
          Reply.Unknown _,
          Reply.AlreadyEnded _,
          Reply.AlreadyDone _,
          Reply.NotOpen _,
          Reply.UpdatePending _,
          Reply.UpdateAnswered _,
          Reply.UpdateConflict _,
          Reply.LimitReached _,
          Reply.Each _ ->
          throw Refusals.unexpected(id, reply);
    };
  }

  /** Hands a signal in; accepted means durable, whether or not the owner is there. */
  public CompletionStage<SignalResult> signal(
      WorkflowId id, String name, Payload payload, Optional<String> signalId) {
    return signal(id, name, SignalContent.of(payload), signalId);
  }

  /**
   * As {@link #signal(WorkflowId, String, Payload, Optional)}, with all that a signal can bring.
   */
  public CompletionStage<SignalResult> signal(
      WorkflowId id, String name, SignalContent content, Optional<String> signalId) {
    SignalContent received = content.with(host.codec.received(content.payload()));
    return host.signals.submit(new SignalRequest(id.value(), name, signalId, received));
  }

  public CompletionStage<Payload> query(WorkflowId id, String name, Payload input) {
    Inquiry inquiry = new Inquiry(name, host.codec.received(input));
    return caller
        .ask(id, replyTo -> new Message.Query(inquiry, replyTo), ASK_LIMIT)
        .thenApply(
            answer ->
                switch (answer) {
                  case Answer.Queried(Inquiry.Reply.Value(Payload value)) -> value;
                  case Answer.Queried(Inquiry.Reply.NoSuchQuery none) ->
                      throw new WorkflowError.NoSuchQuery(id, name);
                  case Answer.Queried(Inquiry.Reply.Failed(var failure)) ->
                      throw new WorkflowError.QueryFailed(id, name, failure.toString());
                  case Answer.Said _,
                      Answer.Described _,
                      Answer.Ended _,
                      Answer.AnotherRun _,
                      Answer.Updated _,
                      Answer.Unknown _,
                      Answer.NotNow _,
                      Answer.Busy _,
                      Answer.Again _ ->
                      throw Refusals.refusal(id, answer);
                });
  }

  /** A new id, for the updates of a caller that sends each of them once. */
  public String newId() {
    return host.ids.get();
  }

  /** Sends an update and waits for its answer; the same id again gets the same answer. */
  public CompletionStage<Outcome> update(
      WorkflowId id, String updateId, String name, Payload payload) {
    Command command = new Command.Update(updateId, name, host.codec.received(payload));
    return caller
        .ask(id, replyTo -> new Message.Tell(command, replyTo), ASK_LIMIT)
        .thenApply(
            answer -> {
              if (answer instanceof Answer.Updated(Outcome outcome)) return outcome;
              throw Refusals.refusal(id, answer);
            });
  }

  /** Asks the workflow to cancel; false when that was asked before. */
  public CompletionStage<Boolean> cancel(WorkflowId id, String reason) {
    return order(id, new Command.Cancel(reason));
  }

  /** Ends the workflow at once, in any state. */
  public CompletionStage<Boolean> terminate(WorkflowId id, String reason) {
    return order(id, new Command.Terminate(reason));
  }

  public CompletionStage<Boolean> pause(WorkflowId id, String reason) {
    return order(id, new Command.Pause(reason));
  }

  public CompletionStage<Boolean> resume(WorkflowId id) {
    return order(id, new Command.Resume());
  }

  /** Says that the cause of the incident is mended: the code is replayed and goes on. */
  public CompletionStage<Boolean> resolveIncident(WorkflowId id, String note) {
    return order(id, new Command.ResolveIncident(note));
  }

  /**
   * Pins the run to another version of its code: its code there is replayed, and the run moves if
   * that asks for all that is recorded. Incident and block are over then; a pause stays. A version
   * that does not fit, or that no node has, is refused with {@link WorkflowError.NotNow}.
   */
  public CompletionStage<Boolean> moveToVersion(WorkflowId id, int version, String note) {
    return order(id, new Command.MoveToVersion(version, note));
  }

  /**
   * Has a step or an activity of an open workflow tried again now, with its attempts counted anew;
   * false when an attempt is under way. An activity is run again although it may have had its
   * effect. One that came out is run again by a fork only.
   */
  public CompletionStage<Boolean> retryStep(WorkflowId id, OperationId operation) {
    return retryStep(id, RepairTarget.of(operation), "");
  }

  /**
   * As above; false also when another attempt than the one that is meant stands there now.
   *
   * @param note why; it stands with the incident that this resolves, and may be empty
   */
  public CompletionStage<Boolean> retryStep(WorkflowId id, RepairTarget target, String note) {
    return activities.retry(id, target, note);
  }

  /**
   * Says how an activity came out that is not under way: the workflow goes on with this result or
   * this failure. Refused with {@link WorkflowError.NotOpen} when it came out before, or when an
   * attempt is under way, and with {@link WorkflowError.OnRecord} when its record proves how.
   *
   * @param outcome a success, with the result as a client sent it, or a failure
   * @param note why; it stands in the history
   */
  public CompletionStage<Boolean> conclude(
      WorkflowId id, OperationId operation, Outcome outcome, String note) {
    return conclude(id, RepairTarget.of(operation), outcome, note);
  }

  /** As above; refused also when another attempt than the one that is meant stands there now. */
  public CompletionStage<Boolean> conclude(
      WorkflowId id, RepairTarget target, Outcome outcome, String note) {
    return activities.conclude(id, target, outcome, note);
  }

  /**
   * Has the verifier of an activity asked again whose outcome cannot be told; false when nothing
   * holds the workflow. Refused with {@link WorkflowError.NotOpen} when another incident does.
   */
  public CompletionStage<Boolean> verifyAgain(WorkflowId id, OperationId operation, String note) {
    return activities.verifyAgain(id, operation, note);
  }

  /**
   * The records of its keyed activities, those that were claimed last first.
   *
   * @param limit at most {@link #ACTIVITY_RECORDS_MAX}
   */
  public CompletionStage<List<ActivityRecord>> activityRecords(WorkflowId id, int limit) {
    return activities.records(id, limit);
  }

  /** The record of the call that an operation of a run makes, if it is keyed. */
  public CompletionStage<Optional<ActivityRecord>> activityRecord(
      WorkflowId id, String runId, OperationId operation) {
    return activities.record(id, runId, operation);
  }

  /** A payload of a client in the form in which it is stored; as JSON it can be kept for later. */
  public Payload received(Payload payload) {
    return host.codec.received(payload);
  }

  CompletionStage<Boolean> order(WorkflowId id, Command command) {
    return caller
        .ask(id, replyTo -> new Message.Tell(command, replyTo), ASK_LIMIT)
        .thenApply(answer -> Refusals.applied(id, answer));
  }

  public CompletionStage<Description> describe(WorkflowId id) {
    return describe(id, Optional.empty());
  }

  /** As above, with this operation among those that are listed, when it is open. */
  CompletionStage<Description> describe(WorkflowId id, Optional<OperationId> about) {
    return caller
        .ask(id, replyTo -> new Message.Describe(about, replyTo), ASK_LIMIT)
        .thenApply(
            answer -> {
              if (answer instanceof Answer.Described(Description description)) return description;
              throw Refusals.refusal(id, answer);
            });
  }

  /** How the workflow ended; empty when it does not end within the time. */
  public CompletionStage<Optional<Ended>> result(WorkflowId id, Duration wait) {
    return result(id, Optional.empty(), wait);
  }

  /**
   * How one run of it ended, with the runs that it continued as; also when another start has taken
   * its place since.
   *
   * @param runId the newest run when empty
   */
  public CompletionStage<Optional<Ended>> result(
      WorkflowId id, Optional<String> runId, Duration wait) {
    return results.of(id, runId, wait);
  }

  /**
   * Its commits, as they stand in the journal. Refused with {@link WorkflowError.NotNow} when they
   * are damaged.
   *
   * @param fromVersion counts from 1
   */
  public CompletionStage<List<JournalEntry>> history(WorkflowId id, long fromVersion, int max) {
    if (max < 1 || max > HISTORY_PAGE_MAX)
      throw new IllegalArgumentException(
          "a page of %d steps: choose from 1 to %d".formatted(max, HISTORY_PAGE_MAX));
    return host.reading(() -> HistoryPage.read(host.storage, id, fromVersion, max));
  }

  /** Those that match, the newest first. */
  public CompletionStage<Page<WorkflowRow>> list(WorkflowFilter filter, PageRequest page) {
    return host.reading(() -> host.storage.workflows().list(filter, page));
  }

  /** The incidents that match, the newest first. */
  public CompletionStage<Page<IncidentRow>> incidents(IncidentFilter filter, PageRequest page) {
    return repairs.incidents(filter, page);
  }

  /** The incident of one workflow, if it has one. */
  public CompletionStage<Optional<IncidentRow>> incident(WorkflowId id) {
    return repairs.incident(id);
  }

  /** Incidents by their cause, with how many there are and since when. */
  public CompletionStage<Page<IncidentGroup>> incidentGroups(
      IncidentFilter filter, PageRequest page) {
    return repairs.groups(filter, page);
  }

  /**
   * Resolves one page of the incidents that match, and reports on each. Refused incidents stay in
   * the list; the cursor of the next page skips them.
   */
  public CompletionStage<Page<Resolution>> resolveIncidents(
      IncidentFilter filter, String note, PageRequest page) {
    return resolveIncidents(filter, Remedy.VERIFY_AGAIN, note, page);
  }

  /** As above, with what to do about activities whose outcome cannot be told. */
  public CompletionStage<Page<Resolution>> resolveIncidents(
      IncidentFilter filter, Remedy remedy, String note, PageRequest page) {
    return repairs.resolve(remedy.within(filter), remedy, note, page);
  }

  /** Resolves this incident; false when an attempt is under way, or nothing holds the workflow. */
  public CompletionStage<Boolean> resolve(IncidentRow incident, Remedy remedy, String note) {
    return repairs.resolve(incident, remedy, note);
  }
}
