package dev.tenure.sharding.code;

import dev.tenure.workflow.kernel.Wishes;

/**
 * Whom a program tells what became of what it was given. Called on any thread, and must not block;
 * the program is named because the listener may have a newer one meanwhile.
 */
public interface CodeListener {
  /** Answers {@link CodeProgram#advance}: all news are worked off. */
  void advanced(CodeProgram program, Wishes wishes);

  void stepEnded(CodeProgram program, StepEnd end);

  /** The code cannot be run here: it could not be made, or not be linked. Nothing else follows. */
  void broken(CodeProgram program, Throwable why);
}
