package dev.tenure.client;

import com.fasterxml.jackson.core.type.TypeReference;
import java.lang.reflect.Type;

/**
 * What an update is called, what it brings and what it is answered with. Make a constant of it.
 *
 * @param <I> what it brings
 * @param <O> its answer
 */
public final class UpdateDefinition<I, O> {
  private final String name;
  private final Type input;
  private final Type answer;

  private UpdateDefinition(String name, Type input, Type answer) {
    this.name = name;
    this.input = input;
    this.answer = answer;
  }

  public static <I, O> UpdateDefinition<I, O> of(String name, Class<I> input, Class<O> answer) {
    return new UpdateDefinition<>(name, input, answer);
  }

  public static <I, O> UpdateDefinition<I, O> of(
      String name, TypeReference<I> input, TypeReference<O> answer) {
    return new UpdateDefinition<>(name, input.getType(), answer.getType());
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
