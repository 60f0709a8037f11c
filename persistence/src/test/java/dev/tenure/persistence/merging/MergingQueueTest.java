package dev.tenure.persistence.merging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.storage.Gate;
import dev.tenure.persistence.storage.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Many questions at once are a few queries. */
class MergingQueueTest {
  private final List<Integer> sizes = new CopyOnWriteArrayList<>();
  private final Gate gate = new Gate();

  private List<Integer> query(List<Integer> questions) {
    sizes.add(questions.size());
    gate.pass();
    return questions.stream().map(question -> question * 2).toList();
  }

  @Test
  void whatIsAskedDuringOneQueryIsTheNext() throws Exception {
    try (MergingQueue<Integer, Integer> queue = ReadQueue.of("test", 200, this::query)) {
      List<CompletionStage<Integer>> answers = new ArrayList<>();
      answers.add(queue.ask(0));
      gate.awaitArrival();
      for (int question = 1; question <= 300; question++) answers.add(queue.ask(question));
      gate.open();
      for (int question = 0; question <= 300; question++) {
        assertThat(await(answers.get(question))).isEqualTo(question * 2);
      }
      assertThat(sizes).containsExactly(1, 200, 100);
    }
  }

  @Test
  void aQueryThatFailsFailsOnlyWhoAskedInIt() throws Exception {
    gate.open();
    List<Integer> failing = new ArrayList<>(List.of(7));
    try (MergingQueue<Integer, Integer> queue =
        ReadQueue.of(
            "test",
            200,
            questions -> {
              if (failing.removeAll(questions)) throw new IllegalStateException("on purpose");
              return query(questions);
            })) {
      CompletionStage<Integer> unlucky = queue.ask(7);
      assertThatThrownBy(() -> await(unlucky)).hasRootCauseMessage("on purpose");
      assertThat(await(queue.ask(7))).isEqualTo(14);
    }
  }

  @Test
  void aQuestionToAClosedQueueIsRefused() {
    MergingQueue<Integer, Integer> queue = ReadQueue.of("test", 200, this::query);
    queue.close();
    assertThatThrownBy(() -> await(queue.ask(1)))
        .hasRootCauseInstanceOf(StorageException.Unavailable.class);
  }

  private static Integer await(CompletionStage<Integer> answer) throws Exception {
    return answer.toCompletableFuture().get(10, TimeUnit.SECONDS);
  }
}
