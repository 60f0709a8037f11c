package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.persistence.visibility.WorkflowFilter;
import dev.tenure.sharding.host.JournalLimits;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** An owner whom the journal does not answer begins again, also when nobody asks for anything. */
class SilentJournalTest {
  private static final Duration REST = Duration.ofMillis(200);
  private static TestNode node;

  @BeforeAll
  static void start() {
    node =
        TestNode.start(
            new TestNode.Plan()
                .with(Coded.class, Coded::new)
                .configured(SilentJournal.config())
                .settings(
                    given ->
                        given
                            .withRecoveryPause(Duration.ofMillis(50))
                            .withRest(REST, 1_000)
                            .withJournal(
                                new JournalLimits(
                                    10,
                                    Duration.ofMillis(700),
                                    Duration.ofMillis(700),
                                    Duration.ofMillis(700)))));
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static boolean isDone(String id) {
    return TestNode.await(
            node.workflows()
                .list(WorkflowFilter.ALL.withStatus(Status.COMPLETED), PageRequest.first(100)))
        .rows()
        .stream()
        .anyMatch(row -> row.id().equals(WorkflowId.of(id)));
  }

  @Test
  void aCommitThatIsNeverAnsweredIsMadeAgain() {
    AtomicInteger ran = new AtomicInteger();
    AtomicInteger lost = new AtomicInteger();
    Coded.begin(
        node,
        "lost-commit",
        ctx -> {
          ctx.step("first", ran::incrementAndGet);
          if (lost.getAndIncrement() == 0) SilentJournal.losesWrites("lost-commit", 1);
          ctx.step("second", () -> 2);
          return ran.get();
        });
    // Nobody asks for it.
    Await.until("it goes on", TestNode.SOON, () -> isDone("lost-commit"));
    assertThat(lost).as("its code began again").hasValue(2);
    assertThat(node.result("lost-commit")).as("the first step ran once").isEqualTo("1");
  }

  @Test
  void aRequestWhoseCommitIsNeverAnsweredIsAnswered() {
    Coded.begin(node, "lost-pause", ctx -> ctx.awaitSignal("end", String.class));
    Await.until(
        "it waits", TestNode.SOON, () -> node.describe("lost-pause").status() == Status.WAITING);
    AtomicInteger left = SilentJournal.losesWrites("lost-pause", 2);
    assertThat(TestNode.await(node.workflows().pause(WorkflowId.of("lost-pause"), "a look")))
        .isTrue();
    assertThat(left).as("commits were lost").hasValue(0);
    assertThat(node.describe("lost-pause").status()).isEqualTo(Status.PAUSED);
  }

  @Test
  void aReadThatIsNeverAnsweredIsMadeAgainThoughNobodyAsks() {
    Coded.begin(
        node,
        "lost-read",
        ctx -> {
          ctx.sleep(Duration.ofMillis(1_200));
          return "woke";
        });
    AtomicInteger left = SilentJournal.losesReads("lost-read", 2);
    // It leaves, is woken when it is due, and nobody else has a word for it.
    Await.until("it goes on", TestNode.SOON, () -> isDone("lost-read"));
    assertThat(left).as("reads were lost").hasValue(0);
  }

  @Test
  void whoAsksMeanwhileIsAnswered() {
    Coded.begin(node, "asked", ctx -> ctx.awaitSignal("end", String.class));
    Await.until("it left", TestNode.SOON, () -> node.node.resident() == 0);
    AtomicInteger left = SilentJournal.losesReads("asked", 1);
    Requests requests = new Requests(node.node.transport(), "asked");
    requests.ask(10);
    Await.until(
        "who asks again is told",
        TestNode.SOON,
        () -> {
          requests.ask();
          return requests.described() > 0;
        });
    requests.awaitAnswers();
    assertThat(left).as("a read was lost").hasValue(0);
    assertThat(node.describe("asked").status()).isEqualTo(Status.WAITING);
  }
}
