package dev.tenure.workflow;

/**
 * Asks the outside world whether a keyed activity has had its effect, when the engine has no record
 * of how it came out: its node was lost, it timed out, or it failed without saying whether it had
 * an effect. It must not have an effect itself, and may be asked any number of times.
 */
@FunctionalInterface
public interface Verifier<I, O> {
  /**
   * When this throws, or takes too long, the effect counts as unknown.
   *
   * @param context of the attempt that is asked about; its key is the one that the attempt had
   */
  Verdict<O> verify(ActivityContext context, I input) throws Exception;

  /** What the outside world says about one call. */
  sealed interface Verdict<O> {
    /** What the answer is based on, for people; at most {@link #EVIDENCE_CHARS_MAX} of it stay. */
    String evidence();

    int EVIDENCE_CHARS_MAX = 1_024;

    /** No completed effect is known for the key: the activity is run. */
    record NotCompleted<O>(String evidence) implements Verdict<O> {}

    /** It took effect, with this result: the workflow goes on with it. */
    record CompletedWithResult<O>(O result, String evidence) implements Verdict<O> {}

    /** It took effect, and its result cannot be had any more: the activity fails for good. */
    record CompletedResultUnavailable<O>(String evidence) implements Verdict<O> {}

    /** It cannot be told. The activity is not run again before it can, or a person decides. */
    record Indeterminate<O>(String evidence) implements Verdict<O> {}

    static <O> Verdict<O> notCompleted(String evidence) {
      return new NotCompleted<>(evidence);
    }

    static <O> Verdict<O> completed(O result, String evidence) {
      return new CompletedWithResult<>(result, evidence);
    }

    static <O> Verdict<O> resultUnavailable(String evidence) {
      return new CompletedResultUnavailable<>(evidence);
    }

    static <O> Verdict<O> indeterminate(String evidence) {
      return new Indeterminate<>(evidence);
    }
  }
}
