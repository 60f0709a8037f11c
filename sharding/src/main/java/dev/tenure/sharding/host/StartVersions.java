package dev.tenure.sharding.host;

import dev.tenure.sharding.activity.Activities;
import dev.tenure.sharding.deployment.ClusterCode;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.program.ProgramSource;
import dev.tenure.sharding.program.Programs;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.ProgramKind;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationSpec;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Chooses the version of a run's code for its owner when the start names none. Also says which code
 * a blocked workflow waits for, and which node has it.
 */
public final class StartVersions {
  private static final String NOTE =
      "The start named no version, and no node had the type. Now one has.";

  private final Programs programs;
  private final Activities activities;
  private final Supplier<ClusterCode> cluster;

  /**
   * @param cluster gives the code that the nodes have now
   */
  StartVersions(Programs programs, Activities activities, Supplier<ClusterCode> cluster) {
    this.programs = programs;
    this.activities = activities;
    this.cluster = cluster;
  }

  /** A start that names no version gets one here, in its owner, before it is committed. */
  public Command decided(Command command, WorkflowState state) {
    if (command instanceof Command.StartWorkflow(var start, var policy)) {
      WorkflowType type = decided(start.kind(), start.type());
      return type.equals(start.type())
          ? command
          : new Command.StartWorkflow(start.atVersion(type.version()), policy);
    }
    // The code failed before the run had a version. The code that resolves the incident has one.
    if (command instanceof Command.ResolveIncident(String note, var none)
        && state.incident().isPresent()
        && !state.start().type().isDecided()) {
      WorkflowType type = decided(state);
      if (type.isDecided()) return new Command.ResolveIncident(note, Optional.of(type.version()));
    }
    return command;
  }

  /** The version of this run; see {@link #decided(ProgramKind, WorkflowType)}. */
  public WorkflowType decided(WorkflowState state) {
    return decided(state.start().kind(), state.start().type());
  }

  /** The type with a version. Unchanged if it has one, or if no node has the type. */
  public WorkflowType decided(ProgramKind kind, WorkflowType type) {
    if (type.isDecided()) return type;
    OptionalInt version = programs.versionOfStart(kind, type.name());
    return version.isPresent() ? new WorkflowType(type.name(), version.getAsInt()) : type;
  }

  /**
   * The command that pins a run to the version that its code begins with, when the run has none
   * yet. Such a run has nothing in flight to take over.
   *
   * @param repair the request of a person, which pins the run by itself; null when there is none
   */
  public static List<Message.Queued> pin(
      Message.Tell repair, WorkflowState state, WorkflowType decided) {
    return state.start().type().isDecided() || repair != null
        ? List.of()
        : List.of(new Message.Own(new Command.MoveToVersion(decided.version(), NOTE)));
  }

  public static boolean pins(Message message) {
    return message instanceof Message.Own(Command command)
        && command instanceof Command.MoveToVersion;
  }

  /** The command that blocks a workflow whose program is not on its owner's node. */
  public static Message.Own block(ProgramSource.Finding.Absent absent) {
    return new Message.Own(new Command.Block(absent.why()));
  }

  /**
   * The command that blocks a workflow which asks for an activity whose code is not on this node.
   */
  public static Command.Block lacks(String activity) {
    return new Command.Block(
        "no-worker: the node that owns it does not have the code of activity \"%s\"."
            .formatted(activity));
  }

  /** The nodes that now have the code that a blocked workflow waits for. */
  public Optional<String> whereabouts(WorkflowState state) {
    if (state.blockReason().isEmpty()) return Optional.empty();
    ClusterCode code = cluster.get();
    Set<String> said = new LinkedHashSet<>();
    WorkflowType type = decided(state);
    ProgramKind kind = state.start().kind();
    if (!programs.has(kind, type)) said.add(programs.whereIs(kind, type));
    for (Operation operation : state.openOperations())
      if (operation.phase() == OperationPhase.IN_FLIGHT
          && operation.spec() instanceof OperationSpec.Activity activity
          && !activity.isQueued()
          && !activities.knows(activity.activity()))
        said.add(code.whereIsActivity(activity.activity()));
    if (said.isEmpty()) return Optional.empty();
    return Optional.of("Its owner is %s. %s".formatted(code.here(), String.join(" ", said)));
  }
}
