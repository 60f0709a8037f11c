package dev.tenure.sharding.mailbox;

import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Results of attempts that an owner got and did not commit. The next owner in the same actor
 * commits them. Without that it would run these attempts again: at once, without the delay of their
 * policy, and without counting the failure.
 */
public final class CarriedResults {
  /**
   * How many owners in a row may end without a commit and pass results on. If the results
   * themselves make owners fail, they are dropped then, and the attempts are handed out again,
   * which counts.
   */
  static final int OWNERS_MAX = 10;

  private final List<Command.AttemptEnded> results = new ArrayList<>(0);
  private String runId = "";
  private int owners;

  /**
   * The owner of that run ends. It was about to commit one result, and had not taken up the others.
   */
  public void ends(String run, List<Command> uncommitted) {
    results.clear();
    if (owners >= OWNERS_MAX) return;
    runId = run;
    for (Command command : uncommitted) keep(command);
    if (!results.isEmpty()) owners++;
  }

  private void keep(Command command) {
    switch (command) {
      case Command.AttemptEnded result -> results.add(result);
      case Command.Several(List<Command> all) -> all.forEach(this::keep);
      // Other commands are not carried: their senders repeat them, or the next owner finds them in
      // the // store.
      case Command.Begins _, Command.Result _, Command.Order _, Command.OfOwner _ -> {}
    }
  }

  /** A commit stands. */
  public void stands() {
    owners = 0;
  }

  /**
   * Gives the results of attempts that are still in flight to the next owner; these attempts do not
   * go out again.
   */
  public Command.Recovered handTo(IncomingResults next, WorkflowState state) {
    Set<OperationId> cameOut = new HashSet<>();
    boolean sameRun = state.exists() && state.start().runId().equals(runId);
    for (Command.AttemptEnded one : results)
      if (sameRun && isInFlight(one, state) && cameOut.add(one.operation())) next.add(one);
    results.clear();
    return new Command.Recovered(cameOut);
  }

  private static boolean isInFlight(Command.AttemptEnded result, WorkflowState state) {
    return state.operation(result.operation()).filter(one -> isOf(result, one)).isPresent();
  }

  private static boolean isOf(Command.AttemptEnded result, Operation operation) {
    return operation.phase() == OperationPhase.IN_FLIGHT && operation.attempt() == result.attempt();
  }
}
