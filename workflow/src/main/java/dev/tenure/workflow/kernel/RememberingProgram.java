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
   * from that. Empty while that is not so. It is asked now and then, when all that it wished for is
   * committed.
   *
   * <p>The history can always be learned anew instead: what is remembered spares work, and is never
   * needed.
   */
  Optional<Payload> memory();

  /**
   * Goes on from what another one remembered; called before anything else, or not at all. When it
   * throws, a new program learns the whole history.
   */
  void resume(Payload memory);
}
