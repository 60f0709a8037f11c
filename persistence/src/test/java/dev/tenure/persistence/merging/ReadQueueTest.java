package dev.tenure.persistence.merging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.codec.CorruptEntryError;
import dev.tenure.persistence.journal.DamagedJournalError;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReadQueueTest {
  @Test
  void whatIsDamagedFailsAloneAmongThoseThatAreReadTogether() {
    CountDownLatch all = new CountDownLatch(1);
    List<Integer> sizes = new ArrayList<>();
    try (MergingQueue<Integer, String> queue =
        ReadQueue.of(
            "reads",
            100,
            questions -> {
              await(all);
              sizes.add(questions.size());
              if (questions.contains(7))
                throw DamagedJournalError.unreadable("seven", new SQLException("torn", "XX001"));
              if (questions.contains(11)) throw new CorruptEntryError("no outcome is like that");
              return questions.stream().map(String::valueOf).toList();
            })) {
      List<CompletableFuture<String>> answers = new ArrayList<>();
      for (int i = 0; i < 20; i++) answers.add(queue.ask(i).toCompletableFuture());
      all.countDown();
      for (int i = 0; i < 20; i++) {
        CompletableFuture<String> answer = answers.get(i).orTimeout(60, TimeUnit.SECONDS);
        if (i == 7)
          assertThatThrownBy(answer::join)
              .hasCauseInstanceOf(DamagedJournalError.class)
              .hasMessageContaining("torn");
        else if (i == 11)
          assertThatThrownBy(answer::join).hasCauseInstanceOf(CorruptEntryError.class);
        else assertThat(answer.join()).isEqualTo(String.valueOf(i));
      }
      assertThat(sizes).as("several were read together").anyMatch(size -> size > 1);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
