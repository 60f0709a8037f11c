package dev.tenure.simulation;

import dev.tenure.workflow.audit.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The requests of the simulated people and their answers: each request is answered in the end (I1).
 */
final class Answers {
  private record Asked(String what, CompletableFuture<?> answer, BooleanSupplier excused) {
    boolean isSettled() {
      return answer.isDone() || excused.getAsBoolean();
    }
  }

  private final List<Asked> all = new ArrayList<>();
  private final List<Violation> wrong = new ArrayList<>();

  /**
   * Keeps the request until the end.
   *
   * @param answered gets the answer, when it is not a failure
   */
  <T> void to(String what, CompletionStage<T> asked, Consumer<T> answered) {
    to(what, asked, answered, () -> false);
  }

  /**
   * As above.
   *
   * @param excused whether the request may stay without an answer
   */
  <T> void to(
      String what, CompletionStage<T> asked, Consumer<T> answered, BooleanSupplier excused) {
    CompletableFuture<T> future = asked.toCompletableFuture();
    all.add(new Asked(what, future, excused));
    future.whenComplete(
        (answer, failure) -> {
          if (failure == null) check(answer, answered);
        });
  }

  private <T> void check(T answer, Consumer<T> answered) {
    try {
      answered.accept(answer);
    } catch (Violation violation) {
      wrong.add(violation);
    }
  }

  boolean areComplete() {
    return all.stream().allMatch(Asked::isSettled);
  }

  void require() {
    if (!wrong.isEmpty()) throw wrong.getFirst();
    for (Asked one : all)
      Violation.require(one.isSettled(), "I1", one.what + " was never answered");
  }
}
