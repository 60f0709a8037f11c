package dev.tenure.node;

import dev.tenure.node.command.ExitCodes;
import dev.tenure.node.command.RunDev;
import dev.tenure.node.command.RunNode;
import dev.tenure.node.command.remote.IncidentCommand;
import dev.tenure.node.command.remote.WorkflowCommand;
import dev.tenure.node.command.store.CheckpointCommand;
import dev.tenure.node.command.store.ProveHead;
import dev.tenure.node.command.store.VerifyStore;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line: of a node process, and of a person who uses a server. */
@Command(
    name = "tenure",
    subcommands = {
      RunNode.class,
      RunDev.class,
      WorkflowCommand.class,
      IncidentCommand.class,
      VerifyStore.class,
      CheckpointCommand.class,
      ProveHead.class
    },
    description = "A durable workflow engine.")
public final class Main {
  private Main() {}

  /** All commands, with how their failures are told. */
  public static CommandLine commandLine() {
    CommandLine line = new CommandLine(new Main());
    CommandLine completion = new CommandLine(new GenerateCompletion());
    completion.getCommandSpec().usageMessage().hidden(true);
    line.addSubcommand("completion", completion);
    // @FILE is an option's value here, in JSON; it would be taken for a file of arguments.
    line.setExpandAtFiles(false);
    line.setExecutionExceptionHandler(ExitCodes::report);
    return line;
  }

  public static void main(String[] arguments) {
    // Not called logback.xml: a library that an application embeds must not configure its logs.
    if (System.getProperty("logback.configurationFile") == null) {
      System.setProperty("logback.configurationFile", "tenure-logback.xml");
    }
    System.exit(commandLine().execute(arguments));
  }
}
