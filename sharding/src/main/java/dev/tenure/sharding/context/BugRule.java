package dev.tenure.sharding.context;

import dev.tenure.sharding.payload.CodeFault;
import dev.tenure.sharding.payload.ThrowableText;
import dev.tenure.workflow.ActivityFailedException;
import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.ChildFailedException;
import dev.tenure.workflow.OnBug;
import dev.tenure.workflow.OperationTimedOutException;
import dev.tenure.workflow.StepFailedException;
import dev.tenure.workflow.UndeliverableException;
import dev.tenure.workflow.UpdateRejectedException;
import dev.tenure.workflow.WorkflowFailure;
import dev.tenure.workflow.WorkflowRegistration;
import java.util.List;
import java.util.Optional;

/**
 * Tells a failure that the code intends from a bug in it. An exception with which an operation
 * failed has the record of that failure among its causes, in a replay as in the first run. So the
 * causes decide, also for an exception that the code wrapped around it.
 */
final class BugRule {
  private static final int CAUSES_MAX = 100;

  private static final List<Class<?>> ON_PURPOSE =
      List.of(
          WorkflowFailure.class,
          StepFailedException.class,
          ActivityFailedException.class,
          ChildFailedException.class,
          UndeliverableException.class,
          OperationTimedOutException.class,
          CancelledException.class,
          UpdateRejectedException.class);

  private final OnBug onBug;
  private final List<Class<?>> declared;

  BugRule(WorkflowRegistration<?> workflow) {
    this.onBug = workflow.onBug();
    this.declared = List.of(workflow.run().getExceptionTypes());
  }

  /**
   * The bug that the exception of the workflow's method shows; empty when the workflow fails with
   * it.
   */
  Optional<CodeFault> inRun(Throwable thrown) {
    return in(thrown, declared.stream().anyMatch(type -> type.isInstance(thrown)));
  }

  /** As {@link #inRun}, for code that may throw any checked exception. */
  Optional<CodeFault> inPart(Throwable thrown) {
    return in(thrown, true);
  }

  private Optional<CodeFault> in(Throwable thrown, boolean mayBeChecked) {
    return switch (thrown) {
      case CodeFault fault -> Optional.of(fault);
      case LinkageError half -> Optional.of(CodeFault.broken(half));
      case VirtualMachineError machine -> Optional.of(CodeFault.broken(machine));
      case Error error -> Optional.of(CodeFault.bug(error));
      default ->
          onBug == OnBug.FAIL
                  || mayBeChecked && !(thrown instanceof RuntimeException)
                  || isFailure(thrown)
              ? Optional.empty()
              : Optional.of(CodeFault.bug(thrown));
    };
  }

  private static boolean isFailure(Throwable thrown) {
    Throwable at = thrown;
    for (int depth = 0; at != null && depth < CAUSES_MAX; depth++) {
      for (Class<?> type : ON_PURPOSE) if (type.isInstance(at)) return true;
      at = ThrowableText.cause(at).orElse(null);
    }
    return false;
  }
}
