package dev.tenure.workflow.audit;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.kernel.Effect;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * I6 in one run: a keyed activity that may have had its effect goes out again only with the order
 * to prove that it had none, its program is never told of a failure that may be a success, and what
 * a person concludes comes out in the same commit.
 */
final class ActivityAudit {
  private static final class Call {
    final boolean keyed;

    /** Whether an attempt before the newest one may have had its effect. */
    boolean doubtful;

    /** Whether the newest attempt was handed to an executor. */
    boolean handedOut;

    boolean underWay = true;

    /** Whether nobody could tell how its newest attempt came out. */
    boolean unproven;

    Call(boolean keyed) {
      this.keyed = keyed;
    }
  }

  private final Map<OperationId, Call> calls = new HashMap<>();

  /** Concluded in the commit that is read, and not come out so far. */
  private final Set<OperationId> concluded = new LinkedHashSet<>();

  void asked(OperationId operation, OperationSpec spec) {
    if (spec instanceof OperationSpec.Activity activity)
      calls.put(operation, new Call(activity.isKeyed()));
  }

  void failed(OperationId operation, Failure failure) {
    Call call = calls.get(operation);
    if (call == null) return;
    // What an attempt had for an effect says nothing of those before it.
    call.doubtful |= failure.outside() != OutsideEffect.NONE;
    call.unproven = failure.outside() == OutsideEffect.UNPROVEN;
    call.handedOut = false;
    call.underWay = false;
  }

  void started(OperationId operation) {
    Call call = calls.get(operation);
    if (call == null) return;
    call.unproven = false;
    call.underWay = true;
  }

  void redelivered(OperationId operation) {
    Call call = calls.get(operation);
    if (call != null) call.doubtful = true;
  }

  /** Why it may not be tried again so. */
  Optional<String> retried(OperationId operation, boolean unproven) {
    if (!unproven) return Optional.empty();
    Call call = calls.get(operation);
    if (call == null || !call.keyed) return Optional.of("without a key there is nothing to prove");
    call.doubtful = false;
    return Optional.empty();
  }

  /** Why the attempt may not go out so. */
  Optional<String> goesOut(Effect.RunActivity run) {
    Call call = calls.get(run.operation());
    if (call == null || !call.keyed) return Optional.empty();
    boolean mayHaveHappened = call.doubtful || call.handedOut;
    call.handedOut = true;
    return mayHaveHappened && run.proof() == Effect.Proof.GIVEN
        ? Optional.of("it goes out again, and nobody asks whether it took effect")
        : Optional.empty();
  }

  /** Why a person may not conclude it. */
  Optional<String> concluded(OperationId operation) {
    Call call = calls.get(operation);
    if (call == null) return Optional.of("it is no activity, or came out before");
    if (call.underWay) return Optional.of("an attempt at it is under way");
    concluded.add(operation);
    return Optional.empty();
  }

  /** Why it may not come out so. */
  Optional<String> completed(OperationId operation, Outcome outcome) {
    Call call = calls.remove(operation);
    boolean byAPerson = concluded.remove(operation);
    if (call == null) return Optional.empty();
    if (outcome instanceof Outcome.Failed(Failure failure)) {
      if (failure.outside() == OutsideEffect.UNPROVEN)
        return Optional.of("its program is told of a failure that may be a success");
      if (failure.outside() == OutsideEffect.NONE && call.doubtful && !byAPerson)
        return Optional.of("its program is told that it had no effect, and an attempt may have");
    }
    return call.unproven && !byAPerson
        ? Optional.of("whether it took effect cannot be told, and no person said so")
        : Optional.empty();
  }

  void abandoned(OperationId operation) {
    calls.remove(operation);
  }

  /** Why the commit may not end here. */
  Optional<String> committed() {
    Optional<OperationId> open = concluded.stream().findFirst();
    concluded.clear();
    return open.map(one -> one + " is concluded, and does not come out");
  }

  /** The next run has calls of its own. */
  void forget() {
    calls.clear();
    concluded.clear();
  }
}
