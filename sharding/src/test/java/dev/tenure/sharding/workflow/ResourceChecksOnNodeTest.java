package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.ActivityCode;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.ResourceVerifier.Mode;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The checks of a recovered run take a time of their own, beside its owner. */
class ResourceChecksOnNodeTest {
  private static final ActivityDefinition<String, String> PAY =
      ActivityDefinition.of("pay", String.class, String.class);

  /** Longer than a verifier may think. */
  private static final Duration TOO_LONG = Duration.ofSeconds(31);

  private final AtomicInteger asked = new AtomicInteger();
  private final CountDownLatch answers = new CountDownLatch(1);
  private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
  private final InstantSource clock = () -> InstantSource.system().instant().plus(ahead.get());
  private TestDatabase database;

  @BeforeEach
  void open() {
    database = TestDatabase.migrated();
  }

  @AfterEach
  void close() {
    answers.countDown();
    database.close();
  }

  private TestNode node(Mode mode) {
    ActivityCode<String, String> code =
        ActivityCode.<String, String>of(PAY, (call, what) -> "paid")
            .checkedBy(
                (call, what, recorded) -> {
                  asked.incrementAndGet();
                  awaitAnswer();
                  return Optional.of("no such payment");
                },
                mode);
    return TestNode.start(
        database,
        new TestNode.Plan()
            .with(Coded.class, Coded::new)
            .with(ActivityRegistration.of(code, 10, 10))
            .settings(given -> WorkflowSettingsOfTests.with(clock)));
  }

  /** As code that does not listen to an interrupt. */
  private void awaitAnswer() {
    boolean interrupted = false;
    while (answers.getCount() > 0)
      try {
        answers.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    if (interrupted) Thread.currentThread().interrupt();
  }

  /** It has paid, its node is gone, and the next one has begun to look the payment up. */
  private TestNode recovering(String id, Mode mode) {
    Coded.put(id, ctx -> ctx.activity(PAY, id) + ctx.awaitSignal("go", String.class));
    try (TestNode first = node(mode)) {
      first.begin(id, "coded", null);
      StepGate.awaitCompleted(first, id, "pay#1");
    }
    TestNode next = node(mode);
    next.workflows().signal(WorkflowId.of(id), "go", TestNode.json("!"), Optional.empty());
    return next;
  }

  private void awaitAsked() {
    Await.until("the verifier is asked", TestNode.SOON, () -> asked.get() == 1);
  }

  @Test
  void aWarningIsCounted() {
    answers.countDown();
    try (TestNode node = recovering("warned", Mode.WARN)) {
      assertThat(node.result("warned")).isEqualTo("\"paid!\"");
      assertThat(node.node.host().resourceWarnings.sum()).isEqualTo(asked.get()).isPositive();
    }
  }

  @Test
  void aVerifierThatHangsIsGivenUpAndCountsAsADifference() {
    try (TestNode node = recovering("hangs", Mode.STRICT)) {
      awaitAsked();
      assertThat(node.events("hangs")).as("it waits").noneMatch(Event.Ended.class::isInstance);
      ahead.set(TOO_LONG);
      Outcome outcome = node.end("hangs").outcome();
      assertThat(((Outcome.Failed) outcome).failure().type()).isEqualTo(Failure.RESOURCE_DIFFERS);
      assertThat(outcome.toString()).contains("did not answer");
    }
  }

  @Test
  void aVerifierThatHangsKeepsNoOtherWorkflowWaiting() {
    try (TestNode node = recovering("alone", Mode.STRICT)) {
      awaitAsked();
      for (int i = 0; i < 20; i++)
        assertThat(Coded.run(node, "other-" + i, ctx -> ctx.activity(PAY, "x")))
            .isEqualTo("\"paid\"");
      assertThat(asked).hasValue(1);
    }
  }

  @Test
  void aWorkflowCanBeTerminatedWhileItsVerifierHangs() {
    try (TestNode node = recovering("ended", Mode.HUMAN_IN_LOOP)) {
      awaitAsked();
      assertThat(TestNode.await(node.workflows().terminate(WorkflowId.of("ended"), "enough")))
          .isTrue();
      assertThat(node.end("ended").status()).isEqualTo(Status.TERMINATED);
      assertThat(answers.getCount()).as("the verifier hangs still").isEqualTo(1);
      assertThat(node.events("ended"))
          .as("nothing of it went on before")
          .noneMatch(Event.SignalConsumed.class::isInstance);
    }
  }
}
