package dev.tenure.workflow.kernel;

import java.time.Instant;

/**
 * All rules of a workflow's life, as functions without side effects. The owner calls {@link
 * #admit}, hands the news to the program, calls {@link #decide} with what the program wishes,
 * commits, and folds the committed events with {@link #evolve}. Between admitting and folding it
 * does nothing else with the state.
 */
public interface Kernel {
  /** The kernel of every node. Tests have others, to compare them with it. */
  static Kernel standard() {
    return StandardKernel.INSTANCE;
  }

  /** The same with other limits. */
  static Kernel standard(KernelLimits limits) {
    return new StandardKernel(limits);
  }

  /** Says whether the command is news. Changes nothing. */
  Admission admit(WorkflowState state, Command command, Instant now);

  /**
   * What follows from an admitted command. Changes nothing: the decision holds when it is
   * committed.
   *
   * @param wishes of the program, after the news of the admission; none when there were none
   * @param now the same as in {@link #admit}
   */
  Decision decide(WorkflowState state, Command command, Wishes wishes, Instant now);

  /**
   * The state after the event. The given state must not be used any more: it may be changed in
   * place, so that folding a long history copies nothing.
   */
  WorkflowState evolve(WorkflowState state, Event event);
}
