package dev.tenure.workflow.operation;

/**
 * One attempt at an operation of one run, as a person saw it before giving an order about it. An
 * order that comes again, or later than another person's, finds another attempt there.
 *
 * @param attempt the one that was under way or came next, as {@link Operation#attempt}
 */
public record AttemptRef(String runId, OperationId operation, int attempt) {
  public AttemptRef {
    if (attempt < 1)
      throw new IllegalArgumentException("Attempt %d: count from 1.".formatted(attempt));
  }
}
