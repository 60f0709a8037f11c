package dev.tenure.persistence.task;

import dev.tenure.workflow.operation.Outcome;

/**
 * How an attempt that went through a queue came out, until the owner's commit takes it.
 *
 * @param attempt whose outcome it is
 */
public record TaskResult(TaskId id, int attempt, Outcome outcome) {}
