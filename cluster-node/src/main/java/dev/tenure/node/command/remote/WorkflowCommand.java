package dev.tenure.node.command.remote;

import dev.tenure.node.command.ReplayHistories;
import dev.tenure.node.command.store.ArchiveWorkflow;
import dev.tenure.node.command.store.ShowArchive;
import picocli.CommandLine.Command;

/** {@code ./tenure workflow}: workflows, over the API of a server. */
@Command(
    name = "workflow",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      StartWorkflow.class,
      ListWorkflows.class,
      DescribeWorkflow.class,
      ShowHistory.class,
      ReplayHistories.class,
      ArchiveWorkflow.class,
      ShowArchive.class,
      AwaitResult.class,
      SendSignal.class,
      AskQuery.class,
      SendUpdate.class,
      Orders.Cancel.class,
      Orders.Terminate.class,
      Orders.Pause.class,
      Orders.Resume.class,
      ActivityCommands.ListActivities.class,
      ActivityCommands.Conclude.class,
      RepairCommands.RetryStep.class,
      RepairCommands.Move.class,
      RepairCommands.Fork.class
    },
    description = "Starts workflows, finds them, and tells them things, over the API of a server.")
public final class WorkflowCommand {}
