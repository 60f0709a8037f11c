package dev.tenure.sharding.branch;

import dev.tenure.workflow.operation.Outcome;

/** Makes of an operation's outcome what the code gets: a value, or an exception. */
@FunctionalInterface
public interface OutcomeReader<T> {
  T read(Outcome outcome) throws Throwable;
}
