package dev.tenure.sharding.branch;

import dev.tenure.workflow.operation.Outcome;

/** Turns an operation's outcome into what the code gets: a value, or an exception. */
@FunctionalInterface
public interface OutcomeReader<T> {
  T read(Outcome outcome) throws Throwable;
}
