package dev.tenure.sharding.run;

import dev.tenure.sharding.message.Message;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.WorkflowState;

/** The repairs that need a program which was replayed from the history and fits it. */
final class CommandsNeedingReplay {
  private CommandsNeedingReplay() {}

  /** Whether the command needs such a program, in this state of the workflow. */
  static boolean isOf(Command command, WorkflowState state) {
    if (!state.exists() || state.phase().isOver()) return false;
    boolean incident = state.incident().isPresent();
    if (command instanceof Command.MoveToVersion move)
      return incident || move.version() != state.start().type().version();
    if (command instanceof Command.Retry retry) return state.standsStillFor(retry.operation());
    if (command instanceof Command.Conclude conclude)
      return state.standsStillFor(conclude.operation());
    return command instanceof Command.ResolveIncident && incident;
  }

  static boolean moves(Message.Tell repair) {
    return repair != null && repair.command() instanceof Command.MoveToVersion;
  }

  /**
   * The code that is replayed for the repair: of the version that the run moves to, or of its own.
   */
  static WorkflowType type(Message.Tell repair, WorkflowState state) {
    WorkflowType own = state.start().type();
    return repair != null && repair.command() instanceof Command.MoveToVersion move
        ? new WorkflowType(own.name(), move.version())
        : own;
  }
}
