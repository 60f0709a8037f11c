package dev.tenure.node;

import dev.tenure.node.command.ExitCodes;
import dev.tenure.node.command.RunDev;
import dev.tenure.node.command.RunNode;
import dev.tenure.node.command.WorkflowCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of a node process. */
@Command(
    name = "./tenure",
    subcommands = {RunNode.class, RunDev.class, WorkflowCommand.class},
    description = "A durable workflow engine.")
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    // Not called logback.xml: a library that an application embeds must not configure its logs.
    if (System.getProperty("logback.configurationFile") == null) {
      System.setProperty("logback.configurationFile", "tenure-logback.xml");
    }
    CommandLine line = new CommandLine(new Main());
    line.setExecutionExceptionHandler(ExitCodes::report);
    System.exit(line.execute(arguments));
  }
}
