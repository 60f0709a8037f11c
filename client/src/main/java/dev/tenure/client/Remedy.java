package dev.tenure.client;

/**
 * What is done about activities whose outcome cannot be told. All but {@link VerifyAgain} are for
 * incidents of that kind alone.
 */
public sealed interface Remedy {
  /** Their verifiers are asked again. Incidents of other kinds are resolved as ever. */
  record VerifyAgain() implements Remedy {}

  /** They are run again, although they may have had their effect. */
  record Retry() implements Remedy {}

  /** They took effect: the workflows go on, all with this result. */
  record Complete(Object result) implements Remedy {}

  /** They are taken for failed: the workflows' code learns this failure. */
  record Fail(StatedFailure failure) implements Remedy {}

  static Remedy verifyAgain() {
    return new VerifyAgain();
  }

  static Remedy retry() {
    return new Retry();
  }

  /**
   * @param result as the activity would have returned it; null when it returns nothing
   */
  static Remedy complete(Object result) {
    return new Complete(result);
  }

  static Remedy fail(StatedFailure failure) {
    return new Fail(failure);
  }
}
