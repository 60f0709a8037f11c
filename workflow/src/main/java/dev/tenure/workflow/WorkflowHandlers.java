package dev.tenure.workflow;

import java.util.function.Function;
import java.util.function.Supplier;

/** The part of the context that answers queries and updates. */
public interface WorkflowHandlers {
  /** Answers questions that change nothing. Register it before the first wait. */
  <O> void onQuery(String name, Supplier<O> answer);

  <I, O> void onQuery(String name, TypeRef<I> input, Function<I, O> answer);

  default <I, O> void onQuery(String name, Class<I> input, Function<I, O> answer) {
    onQuery(name, TypeRef.of(input), answer);
  }

  /** As {@link #onQuery(String, Supplier)}; the answer is written as the definition says. */
  default <O> void onQuery(QueryDefinition<Void, O> query, Supplier<O> answer) {
    onQuery(query, nothing -> answer.get());
  }

  <I, O> void onQuery(QueryDefinition<I, O> query, Function<I, O> answer);

  /** Answers requests that change something, each exactly once. */
  default <I, O> void onUpdate(String name, Class<I> input, UpdateHandler<I, O> handler) {
    onUpdate(name, TypeRef.of(input), ignored -> {}, handler);
  }

  default <I, O> void onUpdate(
      String name,
      Class<I> input,
      UpdateHandler.Validator<I> validator,
      UpdateHandler<I, O> handler) {
    onUpdate(name, TypeRef.of(input), validator, handler);
  }

  default <I, O> void onUpdate(String name, TypeRef<I> input, UpdateHandler<I, O> handler) {
    onUpdate(name, input, ignored -> {}, handler);
  }

  <I, O> void onUpdate(
      String name,
      TypeRef<I> input,
      UpdateHandler.Validator<I> validator,
      UpdateHandler<I, O> handler);

  /** As with a name; the answer is written as the definition says. */
  default <I, O> void onUpdate(UpdateDefinition<I, O> update, UpdateHandler<I, O> handler) {
    onUpdate(update, ignored -> {}, handler);
  }

  <I, O> void onUpdate(
      UpdateDefinition<I, O> update,
      UpdateHandler.Validator<I> validator,
      UpdateHandler<I, O> handler);

  /**
   * Waits until no update handler is under way. Call it before the end of a run, and before {@link
   * WorkflowContext#continueAsNew(Object)}, which cancel handlers that still wait.
   */
  void awaitHandlers();
}
