package dev.tenure.sharding.code;

import dev.tenure.workflow.operation.Outcome;

/** Makes of an operation's outcome what the code gets: a value, or an exception. */
@FunctionalInterface
interface Reading<T> {
  T read(Outcome outcome) throws Throwable;
}
