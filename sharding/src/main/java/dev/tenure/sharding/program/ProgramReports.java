package dev.tenure.sharding.program;

import dev.tenure.workflow.kernel.Wishes;

/**
 * Whom a run tells what became of what it was given, unless it answered at once. Called on any
 * thread, and must not block; the run is named because the owner may have a newer one meanwhile.
 */
public interface ProgramReports {
  /** Answers {@link ProgramRun#advance} and {@link ProgramRun#replay}: all news are worked off. */
  void advanced(ProgramRun run, Wishes wishes);

  void stepEnded(ProgramRun run, StepEnd end);

  /** Answers {@link ProgramRun#query}. */
  void answered(ProgramRun run, Inquiry.Reply reply);

  /**
   * The program cannot be run here: it could not be made, or it is broken. Nothing else follows.
   */
  void broken(ProgramRun run, Throwable why);
}
