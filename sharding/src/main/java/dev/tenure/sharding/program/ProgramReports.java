package dev.tenure.sharding.program;

import dev.tenure.workflow.kernel.Wishes;

/**
 * Gets the answers of a run that did not answer at once. Called on any thread, and must not block.
 * The run is an argument because the owner may have a newer one by then.
 */
public interface ProgramReports {
  /**
   * Answers {@link ProgramRun#advance} and {@link ProgramRun#replay}: the program has handled all
   * news.
   */
  void advanced(ProgramRun run, Wishes wishes);

  void stepEnded(ProgramRun run, StepEnd end);

  /** Answers {@link ProgramRun#query}. */
  void answered(ProgramRun run, Inquiry.Reply reply);

  /**
   * The program cannot be run here: it could not be made, or it is broken. The run reports nothing
   * after this.
   */
  void broken(ProgramRun run, Throwable why);
}
