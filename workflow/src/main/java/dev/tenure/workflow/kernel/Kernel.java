package dev.tenure.workflow.kernel;

import java.time.Instant;

/**
 * Every rule of a workflow's life, pure. The shell asks {@link #admit}, hands the news to the
 * program, asks {@link #decide} with what the program wishes, commits, and folds what it committed
 * with {@link #evolve}. Between admitting and folding it does nothing else with the state.
 */
public interface Kernel {
  /** The one that is in use; others exist to be compared with it. */
  static Kernel standard() {
    return StandardKernel.INSTANCE;
  }

  /** The same, where a workflow may hold more or less. */
  static Kernel standard(KernelLimits limits) {
    return new StandardKernel(limits);
  }

  /** Says whether the command is news. Changes nothing. */
  Admission admit(WorkflowState state, Command command, Instant now);

  /**
   * What follows from an admitted command. Changes nothing: what it says holds once it is
   * committed.
   *
   * @param wishes of the program, after the news of the admission; none when there were none
   * @param now the same as in {@link #admit}
   */
  Decision decide(WorkflowState state, Command command, Wishes wishes, Instant now);

  /**
   * The state after the event. The one given is used up: an owner goes on with the answer, and
   * nothing is copied, however long the history.
   */
  WorkflowState evolve(WorkflowState state, Event event);
}
