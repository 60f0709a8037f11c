package dev.tenure.workflow.kernel;

import dev.tenure.workflow.collation.Parent;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.util.Optional;
import java.util.function.Function;

/**
 * One change that an admitted command plans, before the program has said what it wishes in answer.
 */
sealed interface PlannedChange {
  /** An event that no message causes. */
  record Plain(Event event) implements PlannedChange {}

  /**
   * A message, whose integers depend on what the program asks for in answer to it.
   *
   * @param of the operation it belongs to; the run itself when empty
   * @param notice what the engine sends because of it
   * @param preview the event as it will be, but for its integers
   */
  record Message(
      Optional<Operation> of,
      Parent parent,
      Optional<OperationSpec.Message> notice,
      Event preview,
      Function<Digits, Event> event)
      implements PlannedChange {

    static Message onRun(Function<Digits, Event> event) {
      return new Message(
          Optional.empty(),
          Parent.STAYS_OPEN,
          Optional.empty(),
          event.apply(Digits.UNDECIDED),
          event);
    }

    static Message on(Operation operation, Parent parent, Function<Digits, Event> event) {
      return new Message(
          Optional.of(operation), parent, Optional.empty(), event.apply(Digits.UNDECIDED), event);
    }

    Message followedBy(Optional<OperationSpec.Message> sent) {
      return new Message(of, parent, sent, preview, event);
    }
  }

  /** The workflow ends without its program. */
  record End(Outcome outcome) implements PlannedChange {}

  /** The workflow has ended, and another start begins its next run. */
  record StartAgain(Start start) implements PlannedChange {}
}
