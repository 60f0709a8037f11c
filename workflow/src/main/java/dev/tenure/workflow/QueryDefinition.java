package dev.tenure.workflow;

/**
 * What a workflow and its clients agree on about a query: its name, and the types of its input and
 * its answer.
 *
 * @param <I> {@code Void} for a query that takes nothing
 */
public record QueryDefinition<I, O>(String name, TypeRef<I> input, TypeRef<O> answer) {
  public static final int NAME_BYTES_MAX = 256;

  public QueryDefinition {
    Text.require("query name", name, NAME_BYTES_MAX);
  }

  /** A query that takes nothing. */
  public static <O> QueryDefinition<Void, O> of(String name, Class<O> answer) {
    return of(name, TypeRef.of(answer));
  }

  /** A query that takes nothing. */
  public static <O> QueryDefinition<Void, O> of(String name, TypeRef<O> answer) {
    return of(name, TypeRef.of(Void.class), answer);
  }

  public static <I, O> QueryDefinition<I, O> of(String name, Class<I> input, Class<O> answer) {
    return of(name, TypeRef.of(input), TypeRef.of(answer));
  }

  public static <I, O> QueryDefinition<I, O> of(String name, TypeRef<I> input, TypeRef<O> answer) {
    return new QueryDefinition<>(name, input, answer);
  }
}
