package dev.tenure.workflow;

/**
 * What senders of an update and the workflow agree on: the update's name, what it brings and what
 * it is answered with.
 *
 * @param <O> {@code Void} for an update whose answer says nothing but that it was handled
 */
public record UpdateDefinition<I, O>(String name, TypeRef<I> input, TypeRef<O> answer) {
  public static final int NAME_BYTES_MAX = 256;

  public UpdateDefinition {
    Text.require("update name", name, NAME_BYTES_MAX);
  }

  public static <I, O> UpdateDefinition<I, O> of(String name, Class<I> input, Class<O> answer) {
    return of(name, TypeRef.of(input), TypeRef.of(answer));
  }

  public static <I, O> UpdateDefinition<I, O> of(String name, TypeRef<I> input, TypeRef<O> answer) {
    return new UpdateDefinition<>(name, input, answer);
  }
}
