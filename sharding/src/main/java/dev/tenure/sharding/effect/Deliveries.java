package dev.tenure.sharding.effect;

import dev.tenure.persistence.signal.SignalRequest;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.host.RetryingSender;
import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.Message;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Trace;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Effect;
import dev.tenure.workflow.kernel.Limits;
import dev.tenure.workflow.kernel.Origin;
import dev.tenure.workflow.kernel.Reply;
import dev.tenure.workflow.kernel.SignalContent;
import dev.tenure.workflow.kernel.Start;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.MessageContent;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Sends messages from one workflow to another, and turns the answers into commands for the sender.
 */
public final class Deliveries {
  public static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);

  private final Host host;

  Deliveries(Host host) {
    this.host = host;
  }

  /** Starts a child. A child that exists already by this very message counts as started. */
  RetryingSender.Load startChild(Effect.StartChild effect, Optional<Trace> trace) {
    WorkflowId child = effect.spec().id();
    String runId = host.ids.get();
    long seed = host.seeds.getAsLong();
    return new RetryingSender.Load(
        "the start of child " + child,
        () -> {
          Command start =
              new Command.StartWorkflow(start(effect, runId, seed, trace), effect.spec().policy());
          return host.transport
              .ask(child, replyTo -> new Message.Tell(start, replyTo), ANSWER_LIMIT)
              .thenApply(answer -> started(effect.operation(), child, answer));
        },
        defect -> new Command.ChildEnded(effect.operation(), undeliverable(defect.toString())));
  }

  private Start start(Effect.StartChild effect, String runId, long seed, Optional<Trace> trace) {
    OperationSpec.Child spec = effect.spec();
    Origin origin = effect.origin();
    return new Start(
        spec.id(),
        runId,
        new WorkflowType(spec.type(), spec.version().orElse(WorkflowType.UNDECIDED)),
        spec.input(),
        seed,
        Optional.of(origin.guid().value()),
        Optional.of(origin),
        spec.executionTimeout(),
        spec.attributes(),
        trace);
  }

  private static Optional<Command> started(OperationId operation, WorkflowId child, Answer answer) {
    if (!(answer instanceof Answer.Said(Reply reply))) return Optional.empty();
    return switch (reply) {
      case Reply.Started started -> Optional.of(new Command.ChildAcknowledged(operation));
      case Reply.AlreadyStarted taken ->
          Optional.of(
              taken.sameRequest()
                  ? new Command.ChildAcknowledged(operation)
                  : new Command.ChildEnded(
                      operation,
                      undeliverable("The id " + child + " belongs to another workflow.")));
      // The run that has the id delivers what it left: until then the start is sent again.
      case Reply.LimitReached limit when limit.limit().equals(Limits.CARRIED_BYTES) ->
          Optional.empty();
      case Reply.LimitReached limit ->
          Optional.of(new Command.ChildEnded(operation, undeliverable(limit.toString())));
      case Reply.Done done -> Optional.empty();
      case Reply.Unknown unknown -> Optional.empty();
      // The workflow cannot be read and was ended: it is not known any more whether it was this //
      // child.
      case Reply.AlreadyEnded ended ->
          Optional.of(new Command.ChildEnded(operation, ended.outcome()));
      case Reply.AlreadyDone done -> Optional.empty();
      case Reply.NotOpen notOpen -> Optional.empty();
      case Reply.UpdatePending pending -> Optional.empty();
      case Reply.UpdateAnswered answered -> Optional.empty();
      case Reply.UpdateConflict conflict -> Optional.empty();
      case Reply.Each each -> Optional.empty();
    };
  }

  private static Outcome undeliverable(String why) {
    return new Outcome.Failed(Failure.permanent(Failure.UNDELIVERABLE, why));
  }

  RetryingSender.Load send(Effect.Send effect, Optional<Trace> trace) {
    return new RetryingSender.Load(
        "message " + effect.operation(),
        delivery(effect, trace),
        defect -> acknowledged(effect.operation(), undeliverable(defect.toString())));
  }

  /**
   * The outcome of a message to a child that could not be started: it is not sent, because another
   * workflow may have the child's id. Empty when the message is to be sent.
   */
  static Optional<Command> toNoChild(Effect.Send effect, WorkflowState state) {
    return effect.spec().content() instanceof MessageContent.Signal signal
            && signal.child().filter(state::hasNoChild).isPresent()
        ? Optional.of(
            acknowledged(
                effect.operation(),
                undeliverable(
                    "The child " + effect.spec().target() + " of this workflow was not started.")))
        : Optional.empty();
  }

  private RetryingSender.Delivery delivery(Effect.Send effect, Optional<Trace> trace) {
    WorkflowId target = effect.spec().target();
    OperationId operation = effect.operation();
    return switch (effect.spec().content()) {
      case MessageContent.Signal signal ->
          () -> signal(effect, signal, trace).thenApply(result -> signalled(operation, result));
      case MessageContent.Cancel(String reason, var child) ->
          () -> order(target, operation, new Command.Cancel(reason, child));
      case MessageContent.Terminate(String reason, var child) ->
          () -> order(target, operation, new Command.Terminate(reason, child));
      case MessageContent.ChildEnded(OperationId of, Outcome outcome, var started) ->
          () ->
              order(target, operation, new Command.ChildEnded(of, outcome, started))
                  // A parent that is gone, or has been told already, needs no more of it.
                  .thenApply(answer -> answer.map(any -> acknowledged(operation, Outcome.DONE)));
    };
  }

  private CompletionStage<SignalResult> signal(
      Effect.Send effect, MessageContent.Signal signal, Optional<Trace> trace) {
    return host.signals.submit(
        new SignalRequest(
            effect.spec().target().value(),
            signal.signal(),
            Optional.of(effect.guid().value()),
            new SignalContent(signal.payload(), trace)));
  }

  private static Optional<Command> signalled(OperationId operation, SignalResult result) {
    return switch (result) {
      case SignalResult.Accepted accepted -> Optional.of(acknowledged(operation, Outcome.DONE));
      case SignalResult.Duplicate duplicate -> Optional.of(acknowledged(operation, Outcome.DONE));
      case SignalResult.UnknownWorkflow unknown ->
          Optional.of(
              acknowledged(
                  operation, undeliverable("There is no workflow " + unknown.workflowId() + ".")));
      case SignalResult.Closed closed ->
          Optional.of(
              acknowledged(
                  operation, undeliverable("Workflow " + closed.workflowId() + " has ended.")));
      case SignalResult.InvalidSignal invalid ->
          Optional.of(acknowledged(operation, undeliverable(invalid.reason())));
      case SignalResult.Indeterminate unclear ->
          Optional.of(
              acknowledged(
                  operation,
                  undeliverable("Whether it was accepted before cannot be told: " + unclear)));
      // The workflow may be read again later: until then the message is sent again.
      case SignalResult.InboxFull full -> Optional.empty();
    };
  }

  private static Command acknowledged(OperationId operation, Outcome outcome) {
    return new Command.MessageAcknowledged(operation, outcome);
  }

  private CompletionStage<Optional<Command>> order(
      WorkflowId target, OperationId operation, Command command) {
    return host.transport
        .ask(target, replyTo -> new Message.Tell(command, replyTo), ANSWER_LIMIT)
        .thenApply(answer -> ordered(target, operation, answer));
  }

  private static Optional<Command> ordered(
      WorkflowId target, OperationId operation, Answer answer) {
    if (!(answer instanceof Answer.Said(Reply reply))) return Optional.empty();
    Outcome outcome =
        switch (reply) {
          case Reply.Unknown unknown -> undeliverable("There is no workflow " + target + ".");
          // A workflow that has ended needs no cancel and no terminate any more.
          case Reply.Done done -> Outcome.DONE;
          case Reply.AlreadyEnded ended -> Outcome.DONE;
          case Reply.AlreadyDone already -> Outcome.DONE;
          case Reply.NotOpen notOpen -> Outcome.DONE;
          case Reply.LimitReached limit -> undeliverable(limit.toString());
          case Reply.Started started -> Outcome.DONE;
          case Reply.AlreadyStarted started -> Outcome.DONE;
          case Reply.UpdatePending pending -> Outcome.DONE;
          case Reply.UpdateAnswered answered -> Outcome.DONE;
          case Reply.UpdateConflict conflict -> Outcome.DONE;
          case Reply.Each each -> Outcome.DONE;
        };
    return Optional.of(acknowledged(operation, outcome));
  }
}
