package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.collation.ActivityKind;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.util.Map;
import java.util.Optional;

/** What a program wants next. */
public sealed interface Wish {
  /**
   * An operation. A {@link OperationSpec.Value} is known at once: the program goes on with it
   * without waiting for news, except in a replay, which hands it the recorded one. So does a {@link
   * OperationSpec.Cycle}: its ancestor passes through at once.
   *
   * @param cause in a graph, the operation whose newest message asks for this; of what an ancestor
   *     asks for that is entered again, the cycle that enters it. Empty for children of the
   *     trigger, and for all operations of code.
   * @param kind which digits it sets; the usual ones of its spec when empty
   */
  record Schedule(
      OperationId operation,
      OperationSpec spec,
      Optional<OperationId> cause,
      Optional<ActivityKind> kind)
      implements Wish {
    public Schedule(OperationId operation, OperationSpec spec) {
      this(operation, spec, Optional.empty(), Optional.empty());
    }

    public Schedule(OperationId operation, OperationSpec spec, OperationId cause) {
      this(operation, spec, Optional.of(cause), Optional.empty());
    }

    ActivityKind activity() {
      return kind.orElseGet(() -> spec.kind().collation());
    }
  }

  /**
   * In a graph: the operation stays open for more messages after its newest one, as a hook does
   * that answers 202. Otherwise that message discharges it.
   */
  record LeaveOpen(OperationId operation) implements Wish {}

  /**
   * In a graph: the outcome of the job if a message of this commit closes it. Of several wishes the
   * last counts; they have no effect when no message closes the job.
   */
  record EndIfClosed(Outcome outcome) implements Wish {}

  /**
   * The program no longer waits for the operation. No news of it follows. When the operation
   * completed in the meantime, the wish has no effect.
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

  /** The validator refused the update and changed nothing: nothing is recorded. */
  record RejectUpdate(String updateId, Failure failure) implements Wish {}

  /**
   * This run is over, and the next begins with that input.
   *
   * @param version of the next run; that of this one when empty
   */
  record ContinueAsNew(Payload input, Optional<Integer> version) implements Wish {}

  /** The run is over: it returned, it threw, or it gave way to a cancellation. */
  record End(Outcome outcome) implements Wish {}

  default boolean endsRun() {
    return this instanceof End || this instanceof ContinueAsNew;
  }
}
