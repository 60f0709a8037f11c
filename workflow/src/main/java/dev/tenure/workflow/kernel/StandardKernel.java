package dev.tenure.workflow.kernel;

import java.time.Instant;
import java.util.List;

/** The kernel: takes a command in, puts the commit together, folds it. */
record StandardKernel(KernelLimits limits) implements Kernel {
  static final Kernel INSTANCE = new StandardKernel(KernelLimits.DEFAULT);

  @Override
  public Admission admit(WorkflowState state, Command command, Instant now) {
    Intake intake = Intake.of(state, command, now, limits);
    return switch (intake.verdict) {
      case Intake.Verdict.Taken taken -> new Admission.Accepted(intake.news());
      case Intake.Verdict.Not(Admission admission) -> admission;
    };
  }

  @Override
  public Decision decide(WorkflowState state, Command command, Wishes wishes, Instant now) {
    Intake intake = Intake.of(state, command, now, limits);
    if (!(intake.verdict instanceof Intake.Verdict.Taken(Reply reply)))
      throw new IllegalStateException(
          "%s was not admitted: %s. Ask admit first, and with the same state and time."
              .formatted(command.getClass().getSimpleName(), intake.verdict));
    if (command instanceof Command.ForkWorkflow(List<Event> events))
      return new Decision(events, List.of(), reply, List.of(), false);
    return command instanceof Command.StartWorkflow(Start start, var policy) && !state.exists()
        ? CommitBuilder.begin(intake, start, wishes, reply)
        : CommitBuilder.goOn(intake, wishes, reply);
  }

  @Override
  public WorkflowState evolve(WorkflowState state, Event event) {
    Fold.apply(state, event);
    return state;
  }
}
