package dev.tenure.simulation;

import dev.tenure.workflow.audit.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Who asked what, and what the answer was: everybody is answered in the end (I1). */
final class Answers {
  private record Asked(String what, CompletableFuture<?> answer) {}

  private final List<Asked> all = new ArrayList<>();
  private final List<Violation> wrong = new ArrayList<>();

  /**
   * Keeps what was asked until the end.
   *
   * @param answered told the answer, when it is not a failure
   */
  <T> void to(String what, CompletionStage<T> asked, Consumer<T> answered) {
    CompletableFuture<T> future = asked.toCompletableFuture();
    all.add(new Asked(what, future));
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
    return all.stream().allMatch(one -> one.answer.isDone());
  }

  void require() {
    if (!wrong.isEmpty()) throw wrong.getFirst();
    for (Asked one : all)
      Violation.require(one.answer.isDone(), "I1", one.what + " was never answered");
  }
}
