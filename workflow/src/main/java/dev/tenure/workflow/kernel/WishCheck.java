package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.operation.MessageContent;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a program's wishes can be granted. One that cannot raises an incident, and none is
 * granted.
 */
final class WishCheck {
  private final ProvisionalState provisional;
  private final Set<OperationId> scheduled = new HashSet<>(2);

  /**
   * The wished operations that pass through at once: the program may ask for more because of them.
   */
  private Set<OperationId> passing = Set.of();

  private final Set<String> answered = new HashSet<>(2);
  private final Set<String> newNames = new HashSet<>(2);
  private int attributes;

  /** How many wished operations stay open; values do not, because they are recorded at once. */
  private int operations;

  /** Of those, see {@link Sizes#openBytes}. */
  private long bytes;

  /** Of a graph, what its commit has recorded so far. */
  private Optional<CommitEvents> graph = Optional.empty();

  private Set<OperationId> untold = Set.of();

  private WishCheck(ProvisionalState provisional) {
    this.provisional = provisional;
  }

  /**
   * As {@link #whyNot(ProvisionalState, List)}, for a graph.
   *
   * @param untold the operations whose newest message the program does not know of
   */
  static Optional<String> whyNot(
      ProvisionalState provisional,
      CommitEvents commit,
      Set<OperationId> untold,
      List<Wish> wishes) {
    WishCheck check = new WishCheck(provisional);
    check.graph = Optional.of(commit);
    check.untold = untold;
    return check.whyNot(wishes);
  }

  /** Why not, in a sentence; empty when they can be. */
  static Optional<String> whyNot(ProvisionalState provisional, List<Wish> wishes) {
    if (wishes.isEmpty()) return Optional.empty();
    return new WishCheck(provisional).whyNot(wishes);
  }

  private Optional<String> whyNot(List<Wish> wishes) {
    attributes = provisional.state.attributes.size();
    for (int at = 0; at < wishes.size(); at++) {
      String why = whyNot(wishes.get(at), at == wishes.size() - 1);
      if (why != null) return Optional.of(why);
    }
    int open = provisional.open() + provisional.state.pivots.size() + operations;
    if (open > provisional.limits.openOperations())
      return Optional.of(
          "%d operations would be open, past OPEN_OPERATIONS_MAX = %d."
              .formatted(open, provisional.limits.openOperations()));
    long openBytes = provisional.openBytes() + bytes;
    return bytes > 0 && openBytes > provisional.limits.openBytes()
        ? Optional.of(
            "The ids and names of what would be open take %d bytes, past OPEN_BYTES_MAX = %d."
                .formatted(openBytes, provisional.limits.openBytes()))
        : Optional.empty();
  }

  private String whyNot(Wish wish, boolean last) {
    return switch (wish) {
      case Wish.Schedule asked -> {
        String why = whyNotThere(asked);
        yield why != null ? why : whyNot(asked.operation(), asked.spec());
      }
      case Wish.LeaveOpen(OperationId id) -> {
        operations++;
        Optional<Operation> left = graph.flatMap(commit -> commit.find(id));
        bytes += left.map(Sizes::openBytes).orElse(0L);
        yield !untold.contains(id) && left.filter(Operation::canBeLeftOpen).isPresent()
            ? null
            : "operation " + id + " was not answered by a signal, so it cannot be left open.";
      }
      case Wish.EndIfClosed end -> graph.isPresent() ? null : "only the job of a graph closes so.";
      case Wish.Abandon abandon -> null;
      case Wish.GiveBack(OperationId id, Command.Arrival signal) ->
          provisional.isConsumed(signal.signal(), signal.position())
              ? null
              : "it gives back a signal %s that operation %s did not consume."
                  .formatted(signal.signal(), id);
      case Wish.SetAttributes(var changes) -> {
        for (var change : changes.entrySet())
          if (!(change.getValue() instanceof Attribute.Removed)
              && !provisional.state.attributes.containsKey(change.getKey())) attributes++;
        yield attributes > Attribute.COUNT_MAX
            ? "it would have %d attributes, past COUNT_MAX = %d."
                .formatted(attributes, Attribute.COUNT_MAX)
            : null;
      }
      case Wish.AnswerUpdate(String id, var outcome) -> whyNoAnswer(id);
      case Wish.RejectUpdate(String id, var failure) -> whyNoAnswer(id);
      case Wish.ContinueAsNew next -> last ? null : "it asked for something after its end.";
      case Wish.End end -> last ? null : "it asked for something after its end.";
    };
  }

  /** An update is answered once, and only after it was asked. */
  private String whyNoAnswer(String updateId) {
    boolean open = provisional.isPendingUpdate(updateId) && answered.add(updateId);
    return open ? null : "update " + updateId + " waits for no answer.";
  }

  private String whyNot(OperationId id, OperationSpec spec) {
    if (id.isEngines()) return "the id " + id + " is the engine's own.";
    if (!scheduled.add(id) || provisional.state.open.find(id).isPresent())
      return "operation " + id + " is open already.";
    boolean passes = spec instanceof OperationSpec.Recorded;
    if (passes && graph.isPresent()) {
      if (passing.isEmpty()) passing = new HashSet<>(2);
      passing.add(id);
    }
    if (!passes) {
      operations++;
      bytes += Sizes.openBytes(id, spec);
    }
    return switch (spec) {
      case OperationSpec.Child child ->
          child.id().equals(id(provisional))
              ? "a workflow is not its own child."
              : whyTooLarge(id, child.payload());
      case OperationSpec.Message message -> whyNot(id, message.content());
      case OperationSpec.SignalWait wait -> whyTooManyNames(wait);
      case OperationSpec.Attempted _, OperationSpec.Timer _, OperationSpec.Recorded _ ->
          whyTooLargeToKeep(id, spec.payload());
    };
  }

  /** Why it cannot be asked for as that activity, because of that cause. */
  private String whyNotThere(Wish.Schedule asked) {
    OperationId id = asked.operation();
    if (!asked.spec().kind().allows(asked.activity()))
      return "operation %s is a %s, which is no %s."
          .formatted(id, asked.spec().kind(), asked.activity());
    if (graph.isEmpty())
      return asked.cause().isEmpty()
              && asked.kind().isEmpty()
              && !(asked.spec() instanceof OperationSpec.Cycle)
          ? null
          : "operation " + id + " is asked for as a graph does, and the workflow is code.";
    if (asked.cause().isPresent() && !isKnown(asked.cause().get()))
      return "operation %s is asked for because of %s, which is not answered just now."
          .formatted(id, asked.cause().get());
    if (asked.spec() instanceof OperationSpec.Cycle(OperationId pivot)) return whyNot(id, pivot);
    return null;
  }

  /** Whether the program may ask for more because of that operation's newest message. */
  private boolean isKnown(OperationId cause) {
    if (graph.isEmpty()) return false;
    return passing.contains(cause)
        || !untold.contains(cause)
            && graph.get().find(cause).filter(WishCheck::mayAskForMore).isPresent();
  }

  /** It was answered just now, or in a portion of this answer, and stayed open. */
  private static boolean mayAskForMore(Operation operation) {
    return operation.phase() == OperationPhase.ANSWERED
        || operation.phase() == OperationPhase.WAITING && operation.guid().childrenSpawned();
  }

  private String whyNot(OperationId cycle, OperationId pivot) {
    if (passing.contains(pivot)) return null;
    Optional<Operation> ancestor = graph.orElseThrow().pivot(pivot);
    if (ancestor.isEmpty())
      return "cycle %s goes to %s, which cannot be entered again.".formatted(cycle, pivot);
    return ancestor.get().ledger().standing() == ActivityLedger.Standing.LEG2_EXHAUSTED
        ? "cycle %s would enter %s more often than its counter has digits for."
            .formatted(cycle, pivot)
        : null;
  }

  private static WorkflowId id(ProvisionalState provisional) {
    return provisional.state.exists() ? provisional.state.start().id() : null;
  }

  private String whyNot(OperationId id, MessageContent content) {
    return switch (content) {
      case MessageContent.Signal signal -> whyTooLarge(id, signal.payload());
      case MessageContent.Cancel cancel -> null;
      case MessageContent.Terminate terminate -> "only the engine terminates children.";
      case MessageContent.ChildEnded ended -> "only the engine reports to parents.";
    };
  }

  private String whyTooManyNames(OperationSpec.SignalWait wait) {
    if (!provisional.state.signalNames.contains(wait.signal())) newNames.add(wait.signal());
    return provisional.state.signalNames.size() + newNames.size()
            <= provisional.limits.signalNames()
        ? null
        : "it would wait for signals of more names than SIGNAL_NAMES_MAX = %d."
            .formatted(provisional.limits.signalNames());
  }

  private static String whyTooLargeToKeep(OperationId id, Payload payload) {
    return Limits.isTooLargeToKeep(payload)
        ? Limits.tooLargeToKeep("What operation " + id + " carries", payload).message()
        : null;
  }

  private static String whyTooLarge(OperationId id, Payload payload) {
    return Limits.isTooLarge(payload)
        ? Limits.tooLarge("What operation " + id + " carries", payload).message()
        : null;
  }
}
