package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Whether a program's wishes can be; one that cannot makes an incident of them all. */
final class WishCheck {
  private final Draft draft;
  private final Set<OperationId> scheduled = new HashSet<>(2);
  private final Set<String> answered = new HashSet<>(2);
  private final Set<String> newNames = new HashSet<>(2);
  private int attributes;

  /** Those asked for that stay open; a value is recorded where it is asked for. */
  private int operations;

  private WishCheck(Draft draft) {
    this.draft = draft;
  }

  /** Why not, in a sentence; empty when they can be. */
  static Optional<String> whyNot(Draft draft, List<Wish> wishes) {
    if (wishes.isEmpty()) return Optional.empty();
    WishCheck check = new WishCheck(draft);
    check.attributes = draft.state.attributes.size();
    for (int at = 0; at < wishes.size(); at++) {
      String why = check.whyNot(wishes.get(at), at == wishes.size() - 1);
      if (why != null) return Optional.of(why);
    }
    int open = draft.open() + check.operations;
    return open > Limits.OPEN_OPERATIONS_MAX
        ? Optional.of(
            "%d operations would be open, past OPEN_OPERATIONS_MAX = %d."
                .formatted(open, Limits.OPEN_OPERATIONS_MAX))
        : Optional.empty();
  }

  private String whyNot(Wish wish, boolean last) {
    return switch (wish) {
      case Wish.Schedule(OperationId id, OperationSpec spec) -> whyNot(id, spec);
      case Wish.Abandon abandon -> null;
      case Wish.GiveBack(OperationId id, Command.Arrival signal) ->
          draft.isConsumed(signal.signal(), signal.position())
              ? null
              : "it gives back a signal %s that operation %s did not consume."
                  .formatted(signal.signal(), id);
      case Wish.SetAttributes(var changes) -> {
        for (var change : changes.entrySet())
          if (!(change.getValue() instanceof Attribute.Removed)
              && !draft.state.attributes.containsKey(change.getKey())) attributes++;
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
    boolean open = draft.isPendingUpdate(updateId) && answered.add(updateId);
    return open ? null : "update " + updateId + " waits for no answer.";
  }

  private String whyNot(OperationId id, OperationSpec spec) {
    if (id.isEngines()) return "the id " + id + " is the engine's own.";
    if (!scheduled.add(id) || draft.state.open.find(id).isPresent())
      return "operation " + id + " is open already.";
    if (!(spec instanceof OperationSpec.Value)) operations++;
    return switch (spec) {
      case OperationSpec.Activity activity -> whyTooLargeToKeep(id, activity.input());
      case OperationSpec.Child child ->
          child.id().equals(id(draft))
              ? "a workflow is not its own child."
              : whyTooLarge(id, child.input());
      case OperationSpec.Message message -> whyNot(id, message.content());
      case OperationSpec.Value value -> whyTooLargeToKeep(id, value.value());
      case OperationSpec.SignalWait wait -> whyTooManyNames(wait);
      case OperationSpec.Step step -> null;
      case OperationSpec.Timer timer -> null;
    };
  }

  private static WorkflowId id(Draft draft) {
    return draft.state.exists() ? draft.state.start().id() : null;
  }

  private String whyNot(OperationId id, OperationSpec.Content content) {
    return switch (content) {
      case OperationSpec.Content.Signal signal -> whyTooLarge(id, signal.payload());
      case OperationSpec.Content.Cancel cancel -> null;
      case OperationSpec.Content.Terminate terminate -> "only the engine terminates children.";
      case OperationSpec.Content.ChildEnded ended -> "only the engine reports to parents.";
    };
  }

  private String whyTooManyNames(OperationSpec.SignalWait wait) {
    if (!draft.state.signalNames.contains(wait.signal())) newNames.add(wait.signal());
    return draft.state.signalNames.size() + newNames.size() <= Limits.SIGNAL_NAMES_MAX
        ? null
        : "it would wait for signals of more names than SIGNAL_NAMES_MAX = %d."
            .formatted(Limits.SIGNAL_NAMES_MAX);
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
