package dev.tenure.sharding.activity;

import dev.tenure.persistence.activity.ActivityEffect;
import dev.tenure.persistence.activity.ActivityRecord;
import dev.tenure.persistence.activity.ActivityRecord.Verdict.Word;
import dev.tenure.persistence.activity.ActivityRecords.Recorded;
import dev.tenure.persistence.activity.InvocationKey;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.sharding.failpoint.Failpoints;
import dev.tenure.sharding.payload.Exceptions;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.Verifier;
import dev.tenure.workflow.Verifier.Verdict;
import dev.tenure.workflow.kernel.Effect.Proof;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Carries out one attempt at a keyed call so that it never claims what is not proven: before the
 * call the record and the verifier are asked when an earlier call may have had its effect, and
 * after a failure the verifier is asked whether this one had.
 */
final class KeyedCall<I, O> {
  /** For how long a verifier may think. */
  static final Duration VERIFYING_MAX = Duration.ofSeconds(30);

  private static final Optional<Duration> VERIFYING = Optional.of(VERIFYING_MAX);

  /** How long code that was interrupted has to leave before the verifier is asked. */
  private static final Duration LEAVING_MAX = Duration.ofSeconds(1);

  /**
   * What the calls of a node share.
   *
   * @param holds whether this node still has a tenure: a call does not go out without
   * @param elsewhere whether other nodes have the code of an activity
   */
  record Surroundings(
      InvocationLedger ledger,
      EffectKeeper keeper,
      Predicate<Fence> holds,
      Predicate<String> elsewhere,
      RunningCode code,
      Failpoints failpoints) {}

  private final Optional<Lane<I, O>> lane;
  private final RunningAttempt attempt;
  private final ActivityTask task;
  private final Surroundings node;
  private final Optional<Verifier<I, O>> verifier;

  KeyedCall(Optional<Lane<I, O>> lane, RunningAttempt attempt, Surroundings node) {
    this.lane = lane;
    this.attempt = attempt;
    this.task = attempt.task;
    this.node = node;
    this.verifier = lane.flatMap(one -> one.registration.code().verifier());
  }

  /** What is known of the effect of the attempts so far. */
  private sealed interface Finding {
    /** They had none. */
    record Absent() implements Finding {}

    record Known(Outcome outcome) implements Finding {}

    /** Nobody can tell, so it is not called. */
    record Unknown(Failure failure) implements Finding {}

    /** Nobody can tell, and the other system recognises a repetition. */
    record Repeatable(Failure failure) implements Finding {}
  }

  /** Runs on a thread of the lane. */
  void run() {
    if (!attempt.begin(RunningAttempt.Phase.PROVING, VERIFYING)) return;
    // Of a first attempt there is nothing on record yet. A later one may be ordered by a person
    // while an earlier one's result comes in late.
    boolean asks = isDoubtful() || task.attempt() > 1;
    Optional<Outcome> known = asks ? outcome(proven()) : Optional.empty();
    if (known.isPresent()) {
      attempt.tell(known.get());
      return;
    }
    // Another owner may have proven meanwhile that nothing was called. The fence refuses what this
    // one would commit, and not what it would call. A node that was paused beside its verifier may
    // not have heard of it yet.
    boolean holds = node.holds.test(task.tenure());
    if (!holds || isDoubtful() && !node.ledger.isNewestClaim(task)) {
      attempt.tell(tenureLost());
      return;
    }
    if (!attempt.calls(task.attemptLimit())) return;
    node.failpoints.hit("activity.before-call");
    Outcome outcome = node.code.around(task, () -> lane.orElseThrow().call(attempt));
    node.failpoints.hit("activity.after-call");
    if (outcome instanceof Outcome.Succeeded) {
      // The attempt was given up: what was done is true all the same.
      if (!attempt.tell(outcome)) node.keeper.keep(task, outcome);
      return;
    }
    if (!(outcome instanceof Outcome.Failed(Failure failure)))
      throw new IllegalStateException("The code of an activity succeeds or fails.");
    // That this attempt had no effect says nothing of one before it.
    Failure all = isDoubtful() ? failure.afterDoubt() : failure;
    if (attempt.settles(VERIFYING)) attempt.tell(settled(all, new Outcome.Failed(all)));
  }

  /** Whether an attempt before this one may have had its effect. */
  private boolean isDoubtful() {
    return task.proof() == Proof.NEEDED;
  }

  private boolean isRepeatable() {
    return task.spec().call().idempotent();
  }

  /** The outcome that the finding comes to; empty when the activity is to be called. */
  private Optional<Outcome> outcome(Finding before) {
    return switch (before) {
      case Finding.Known(Outcome known) -> Optional.of(known);
      case Finding.Unknown(Failure why) -> Optional.of(new Outcome.Failed(why));
      case Finding.Absent absent when attempt.isTooLate() ->
          Optional.of(new Outcome.TimedOut("All attempts at it together."));
      case Finding.Repeatable(Failure why) when attempt.isTooLate() ->
          Optional.of(new Outcome.Failed(why));
      case Finding.Absent absent -> Optional.empty();
      case Finding.Repeatable mayBeCalled -> Optional.empty();
    };
  }

  /** Only finds out whether it had its effect. */
  void prove(Runnable leaves) {
    if (!attempt.asks(VERIFYING, leaves)) return;
    outcome(proven()).ifPresentOrElse(attempt::tell, attempt::tellAbsent);
  }

  /** The code of an earlier attempt is inside: this one is not called, whatever is found. */
  void proveBeside(Runnable leaves) {
    if (!attempt.asks(VERIFYING, leaves)) return;
    attempt.tell(outcome(proven()).orElseGet(() -> new Outcome.Failed(stillRuns(true, null))));
  }

  /** Only finds out what the outcome means that a worker reported. */
  void settle(Outcome reported, Runnable leaves) {
    if (!attempt.asks(VERIFYING, leaves)) return;
    attempt.tell(
        switch (reported) {
          case Outcome.Failed(Failure failure) -> settled(failure, reported);
          case Outcome.TimedOut(String why) ->
              settled(Failure.retryable(Failure.TIMEOUT, why), reported);
          case Outcome.Succeeded _, Outcome.Cancelled _, Outcome.Terminated _ -> reported;
        });
  }

  /** Only finds out whether the outside world agrees with what is recorded. */
  void checkResource(Payload recorded, Runnable leaves) {
    if (!attempt.asks(VERIFYING, leaves)) return;
    Optional<String> difference;
    try {
      difference = lane.orElseThrow().difference(attempt, recorded);
    } catch (Throwable thrown) {
      difference = Optional.of("its resource verifier failed: " + thrown);
    }
    if (difference == null) difference = Optional.of("its resource verifier answered nothing");
    if (difference.isEmpty()) attempt.tellAbsent();
    else
      attempt.tell(
          new Outcome.Failed(Failure.permanent(Failure.RESOURCE_DIFFERS, cut(difference.get()))));
  }

  private Outcome tenureLost() {
    String why = "The node lost the shard before the call.";
    return new Outcome.Failed(
        isDoubtful()
            ? unknown(why, true, null)
            : Failure.retryable("tenure.TenureLost", why).with(OutsideEffect.NONE));
  }

  /** The attempt took too long. Runs on a thread of its own: the code may run on. */
  void timedOut(String why) {
    attempt.runsHere();
    // Most code answers to its interrupt. Then what the verifier says is the last word on it.
    node.code.hasLeft(task, LEAVING_MAX);
    attempt.tell(settled(Failure.retryable(Failure.TIMEOUT, why), new Outcome.TimedOut(why)));
  }

  /** The verifier, or the record, took too long. */
  static Outcome verifierSilent() {
    return new Outcome.Failed(
        unknown("Its verifier did not answer within " + VERIFYING_MAX + ".", true, null));
  }

  /** Nobody foresaw that, so nobody can tell how far it came. */
  static Outcome broken(RuntimeException defect) {
    return new Outcome.Failed(
        unknown(
            "It was not carried out to its end: " + defect, true, Exceptions.toFailure(defect)));
  }

  // --- before the call

  private Finding proven() {
    InvocationKey invocation;
    Optional<ActivityRecord> found;
    try {
      // A large input is kept beside the journal, and is read from the store, too.
      invocation = CanonicalArguments.invocation(task.record(), task.input());
      found = node.ledger.find(task.record());
    } catch (RuntimeException unreadable) {
      return new Finding.Unknown(
          unknown("Its record or its input cannot be read: " + unreadable, true, null));
    }
    boolean given = task.proof() == Proof.GIVEN;
    return switch (LedgerAnswer.of(found, invocation, given)) {
      case LedgerAnswer.Execute execute -> new Finding.Absent();
      case LedgerAnswer.ReturnRecorded(Outcome outcome) -> new Finding.Known(outcome);
      case LedgerAnswer.Refuse(String why) -> new Finding.Unknown(unknown(why, false, null));
      case LedgerAnswer.Prove(ActivityRecord record) -> prove(record);
    };
  }

  private Finding prove(ActivityRecord record) {
    if (verifier.isEmpty())
      return open(
          unverified(
              "Attempt %d was claimed at %s under epoch %d and nothing says how it came out."
                  .formatted(record.attempt(), record.updatedAt(), record.epoch()),
              record.error().orElse(null)));
    Finding found = ask(Optional.of(record));
    if (found instanceof Finding.Unknown(Failure failure)) return open(failure);
    return found instanceof Finding.Absent && node.code.isInside(task)
        ? open(stillRuns(true, null))
        : found;
  }

  /** What follows when nobody can tell. */
  private Finding open(Failure why) {
    return isRepeatable() ? new Finding.Repeatable(why) : new Finding.Unknown(why);
  }

  // --- after a failure

  /**
   * What the failure of the newest attempt comes to. The workflow is not told of one that may be a
   * success. While attempts are left, such a call is proven again, or is repeated if it may be.
   *
   * @param asItIs what comes of it when it is proven that no attempt had its effect so far
   */
  private Outcome settled(Failure failure, Outcome asItIs) {
    if (failure.outside() == OutsideEffect.NONE) return asItIs;
    Finding found =
        verifier.isPresent()
            ? ask(Optional.empty())
            : new Finding.Unknown(
                unverified("It failed, and may have had its effect: " + failure + ".", failure));
    if (found instanceof Finding.Absent && node.code.isInside(task))
      found = new Finding.Unknown(stillRuns(failure.retryable(), failure));
    return switch (found) {
      case Finding.Known(Outcome outcome) -> outcome;
      // The other system may still be at work: before the next call the verifier is asked again.
      case Finding.Absent absent -> asItIs;
      case Finding.Unknown(Failure why) ->
          new Outcome.Failed(isRepeatable() ? failure.with(OutsideEffect.UNPROVEN) : why);
      case Finding.Repeatable(Failure why) -> new Outcome.Failed(why);
    };
  }

  /** What is left open because nobody on this node can find out. */
  private Failure unverified(String why, Failure cause) {
    return lane.isEmpty() && node.elsewhere.test(task.activity())
        ? unknown(why + " Its code is on other nodes only, and a verifier with it.", true, cause)
        : unknown(why + " It has no verifier.", isRepeatable(), cause);
  }

  private static Failure stillRuns(boolean retryable, Failure cause) {
    return unknown(
        "Its verifier finds no effect, and its code still runs on this node: it may have one yet.",
        retryable,
        cause);
  }

  // --- the verifier

  private Finding ask(Optional<ActivityRecord> record) {
    node.failpoints.hit("activity.before-verify");
    Verdict<O> verdict;
    try {
      verdict = lane.orElseThrow().verify(verifier.orElseThrow(), attempt);
    } catch (Throwable thrown) {
      return new Finding.Unknown(
          unknown("Its verifier failed: " + thrown, true, Exceptions.toFailure(thrown)));
    }
    node.failpoints.hit("activity.after-verify");
    if (verdict == null)
      return new Finding.Unknown(unknown("Its verifier answered nothing.", true, null));
    Optional<String> contradiction =
        record
            .filter(known -> LedgerAnswer.contradicts(known, word(verdict)))
            .map(
                known ->
                    "Its verifier says %s now (%s), and said %s before (%s)."
                        .formatted(
                            word(verdict),
                            cut(verdict.evidence()),
                            known.verdict().map(ActivityRecord.Verdict::word).orElse(null),
                            known.verdict().map(ActivityRecord.Verdict::evidence).orElse("")));
    if (contradiction.isPresent())
      return new Finding.Unknown(unknown(contradiction.get(), false, null));
    return switch (verdict) {
      case Verdict.NotCompleted<O> absent -> new Finding.Absent();
      case Verdict.CompletedWithResult<O> completed -> completed(completed, verdict);
      case Verdict.CompletedResultUnavailable<O> gone ->
          recorded(Optional.empty(), verdict)
              .orElseGet(
                  () ->
                      new Finding.Known(
                          new Outcome.Failed(
                              LedgerAnswer.resultUnavailable(cut(gone.evidence())))));
      case Verdict.Indeterminate<O> open ->
          new Finding.Unknown(
              unknown("Its verifier cannot tell: " + cut(open.evidence()), true, null));
    };
  }

  private Finding completed(Verdict.CompletedWithResult<O> completed, Verdict<O> verdict) {
    Payload result;
    try {
      result = lane.orElseThrow().written(completed.result(), attempt);
    } catch (RuntimeException unwritable) {
      return new Finding.Unknown(
          unknown(
              "Its verifier gives a result that cannot be recorded: " + unwritable,
              false,
              Exceptions.toFailure(unwritable)));
    }
    return recorded(Optional.of(result), verdict)
        .orElseGet(() -> new Finding.Known(new Outcome.Succeeded(result)));
  }

  /**
   * Stores what the verifier found before anything follows from it: a verifier that says something
   * else the next time is not asked again. Empty when it is stored.
   */
  private Optional<Finding> recorded(Optional<Payload> result, Verdict<O> verdict) {
    try {
      Recorded recorded =
          node.ledger.complete(
              new ActivityEffect(
                  task.record(),
                  task.tenure().shard(),
                  result,
                  Optional.of(new ActivityRecord.Verdict(word(verdict), cut(verdict.evidence())))));
      if (recorded instanceof Recorded.Stored) return Optional.empty();
      return Optional.of(
          new Finding.Unknown(
              unknown(
                  "Its verifier says %s (%s), which contradicts its record."
                      .formatted(word(verdict), cut(verdict.evidence())),
                  false,
                  null)));
    } catch (RuntimeException notStored) {
      return Optional.of(
          new Finding.Unknown(
              unknown("What its verifier says cannot be stored: " + notStored, true, null)));
    }
  }

  private static Word word(Verdict<?> verdict) {
    return switch (verdict) {
      case Verdict.NotCompleted<?> v -> Word.NOT_COMPLETED;
      case Verdict.CompletedWithResult<?> v -> Word.COMPLETED_WITH_RESULT;
      case Verdict.CompletedResultUnavailable<?> v -> Word.COMPLETED_RESULT_UNAVAILABLE;
      case Verdict.Indeterminate<?> v -> Word.INDETERMINATE;
    };
  }

  private static String cut(String evidence) {
    return Failure.cut(evidence, Verifier.Verdict.EVIDENCE_CHARS_MAX);
  }

  private static Failure unknown(String why, boolean retryable, Failure cause) {
    return new Failure(
        Failure.INDETERMINATE,
        why,
        Optional.empty(),
        retryable,
        "",
        Optional.ofNullable(cause),
        Failure.Form.RECORD,
        OutsideEffect.UNPROVEN);
  }
}
