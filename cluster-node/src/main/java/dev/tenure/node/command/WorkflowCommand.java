package dev.tenure.node.command;

import picocli.CommandLine.Command;

/** {@code ./tenure workflow …}: what one does with workflows. */
@Command(
    name = "workflow",
    subcommands = ReplayHistories.class,
    description = "What one does with workflows.")
public final class WorkflowCommand {}
