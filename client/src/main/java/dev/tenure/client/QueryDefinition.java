package dev.tenure.client;

import com.fasterxml.jackson.core.type.TypeReference;
import java.lang.reflect.Type;

/**
 * What a query is called, what is given with it and what it is answered with. Make a constant of
 * it.
 *
 * @param <I> {@code Void} for a query that takes nothing
 * @param <O> its answer
 */
public final class QueryDefinition<I, O> {
  private final String name;
  private final Type input;
  private final Type answer;

  private QueryDefinition(String name, Type input, Type answer) {
    this.name = name;
    this.input = input;
    this.answer = answer;
  }

  /** A query that takes nothing. */
  public static <O> QueryDefinition<Void, O> of(String name, Class<O> answer) {
    return new QueryDefinition<>(name, Void.class, answer);
  }

  /** A query that takes nothing. */
  public static <O> QueryDefinition<Void, O> of(String name, TypeReference<O> answer) {
    return new QueryDefinition<>(name, Void.class, answer.getType());
  }

  public static <I, O> QueryDefinition<I, O> of(String name, Class<I> input, Class<O> answer) {
    return new QueryDefinition<>(name, input, answer);
  }

  public static <I, O> QueryDefinition<I, O> of(
      String name, TypeReference<I> input, TypeReference<O> answer) {
    return new QueryDefinition<>(name, input.getType(), answer.getType());
  }

  public String name() {
    return name;
  }

  Type input() {
    return input;
  }

  Type answer() {
    return answer;
  }

  @Override
  public String toString() {
    return name;
  }
}
