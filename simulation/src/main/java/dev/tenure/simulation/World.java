package dev.tenure.simulation;

import dev.tenure.workflow.ActivityContext;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.WorkflowFailure;
import dev.tenure.workflow.operation.OperationId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What steps and activities do: they succeed or fail as the seed wills, and each run of them is
 * seen.
 */
final class World {
  /** Reads along. */
  interface Witness {
    void runs(String workflow, OperationId operation, int attempt);
  }

  static final String TROUBLE = "trouble";

  private final long seed;
  private final List<Violation> seen = new ArrayList<>();
  private Witness witness = (workflow, operation, attempt) -> {};

  World(long seed) {
    this.seed = seed;
  }

  void seenBy(Witness one) {
    witness = one;
  }

  /** A step's code begins; it runs on a thread of its own, where nobody would hear a violation. */
  synchronized void runs(String workflow, OperationId operation, int attempt) {
    try {
      witness.runs(workflow, operation, attempt);
    } catch (Violation violation) {
      seen.add(violation);
    }
  }

  synchronized Optional<Violation> seen() {
    return seen.stream().findFirst();
  }

  /** The same for the same attempt, whoever makes it. */
  void mayFail(String workflow, String operation, int attempt) {
    long roll = mix(seed ^ workflow.hashCode() * 31L ^ operation.hashCode() * 17L ^ attempt);
    int in16 = (int) (roll & 15);
    if (in16 < 3 && attempt < 3) throw WorkflowFailure.retryable(TROUBLE, "attempt " + attempt);
    if (in16 == 3) throw WorkflowFailure.permanent(TROUBLE, "for good");
  }

  String activity(ActivityContext context, String input) {
    runs(context.workflowId().value(), new OperationId(context.operationId()), context.attempt());
    mayFail(context.workflowId().value(), context.operationId(), context.attempt());
    return input + "!";
  }

  static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  static boolean isTrouble(WorkflowFailure failure) {
    return failure.code().equals(Optional.of(TROUBLE));
  }

  static boolean isUndeliverable(Failure failure) {
    return failure.type().equals(Failure.UNDELIVERABLE);
  }
}
