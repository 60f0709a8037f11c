package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Payload;
import java.util.Optional;

/**
 * A program that can write down what it knows, so that a recovery need not tell it the whole
 * history.
 */
public interface RememberingProgram extends Program {
  /**
   * All that it knows, when another program of the same definition can {@linkplain #resume go on}
   * from that. Empty while that is not possible. The owner asks now and then, when all wishes of
   * the program are committed.
   *
   * <p>A memory saves work and is never needed: a new program can always learn the history instead.
   */
  Optional<Payload> memory();

  /**
   * Goes on from what another one remembered; called before anything else, or not at all. When it
   * throws, a new program learns the whole history.
   */
  void resume(Payload memory);
}
