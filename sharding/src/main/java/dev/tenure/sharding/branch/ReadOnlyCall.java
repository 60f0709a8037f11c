package dev.tenure.sharding.branch;

import dev.tenure.workflow.Failure;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Code that only reads: a query, or the validator of an update. When it does not come back the
 * owner gives it up, and the workflow's code goes on without it.
 */
public final class ReadOnlyCall {
  private final AtomicBoolean over = new AtomicBoolean();
  private final String what;
  private final Consumer<Failure> givenUp;

  /**
   * @param what for the failure's message: "Query status"
   * @param givenUp told when the code did not come back
   */
  public ReadOnlyCall(String what, Consumer<Failure> givenUp) {
    this.what = what;
    this.givenUp = givenUp;
  }

  /** True for the first caller: either the code that came back, or the owner that gives it up. */
  public boolean ends() {
    return over.compareAndSet(false, true);
  }

  /** Ends the call without its code. False when the code came back at this moment. */
  public boolean giveUp(String why) {
    if (!ends()) return false;
    givenUp.accept(
        Failure.permanent(Failure.TIMEOUT, "%s did not come back: %s".formatted(what, why)));
    return true;
  }
}
