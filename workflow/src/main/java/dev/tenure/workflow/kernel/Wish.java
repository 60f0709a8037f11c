package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.util.Map;
import java.util.Optional;

/** What a program wants next. */
public sealed interface Wish {
  /**
   * An operation. A {@link OperationSpec.Value} is known at once: the program goes on with it
   * without waiting for news, except in a replay, which hands it the recorded one.
   */
  record Schedule(OperationId operation, OperationSpec spec) implements Wish {}

  /**
   * The program no longer waits for it. No news of it follows; of one that completed in the
   * meantime, nothing comes of this.
   *
   * @param tellsChild whether a child is asked to stop although its policy is ABANDON: the code
   *     cancelled the child itself, and not only its own waiting
   */
  record Abandon(OperationId operation, boolean tellsChild) implements Wish {
    public Abandon(OperationId operation) {
      this(operation, false);
    }
  }

  /**
   * The program did not receive this signal, which the operation consumed: it gave the wait up, or
   * ended, before it learned that the wait was over. The signal goes back to its place in the
   * inbox.
   */
  record GiveBack(OperationId operation, Command.Arrival signal) implements Wish {}

  record SetAttributes(Map<String, Attribute> changes) implements Wish {
    public SetAttributes {
      changes = Attribute.requireNames(changes);
    }
  }

  record AnswerUpdate(String updateId, Outcome outcome) implements Wish {}

  /** The validator refused it, and saw to it that nothing changed: nothing is recorded. */
  record RejectUpdate(String updateId, Failure failure) implements Wish {}

  /**
   * This run is over, and the next begins with that input.
   *
   * @param version of the next run; that of this one when empty
   */
  record ContinueAsNew(Payload input, Optional<Integer> version) implements Wish {}

  /** The run is over: it returned, it threw, or it gave way to a cancellation. */
  record End(Outcome outcome) implements Wish {}
}
