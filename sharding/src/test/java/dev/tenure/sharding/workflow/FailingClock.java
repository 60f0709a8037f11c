package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.owner.OwnerLoop;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;

/** A clock that fails the owner which looks at it to decide. */
public final class FailingClock implements InstantSource {
  private final AtomicInteger defects = new AtomicInteger();

  /** Fails the next owner that looks. */
  public void failsOnce() {
    defects.set(1);
  }

  public void requireFailed() {
    assertThat(defects).as("an owner has failed").hasValue(0);
  }

  @Override
  public Instant instant() {
    if (defects.get() > 0 && isInTurn() && defects.getAndUpdate(n -> Math.max(0, n - 1)) > 0)
      throw new NoClassDefFoundError("on purpose");
    return InstantSource.system().instant();
  }

  private static boolean isInTurn() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames.anyMatch(frame -> frame.getClassName().equals(OwnerLoop.class.getName())));
  }
}
