package dev.tenure.sharding.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.task.TakenTask;
import dev.tenure.persistence.task.TaskToken;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Many workers, few calls of the storage. */
class MergedTaskCallsTest {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String POISON = "poison";

  /** Queues whose calls wait for the test, and that refuse one report. */
  private static final class GatedTasks extends PlainTasks {
    final CountDownLatch entered = new CountDownLatch(1);
    final CountDownLatch gate = new CountDownLatch(1);
    final AtomicInteger outages = new AtomicInteger();
    final List<Integer> sizes = new ArrayList<>();

    @Override
    public List<List<TakenTask>> take(String queue, List<Poll> polls, Secrets secrets) {
      pass();
      synchronized (this) {
        sizes.add(polls.size());
      }
      if (queue.equals(POISON)) throw new StorageException.Unavailable("this one is away", null);
      return super.take(queue, polls, secrets);
    }

    @Override
    public List<Heard> hear(List<Report> all) {
      pass();
      if (outages.getAndDecrement() > 0) throw new StorageException.OutcomeUnknown("lost", null);
      if (all.stream().anyMatch(report -> report.token().secret().equals(POISON)))
        throw new StorageException.Refused("not this one", null);
      return super.hear(all);
    }

    private void pass() {
      entered.countDown();
      try {
        assertThat(gate.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private final GatedTasks tasks = new GatedTasks();
  private final AtomicInteger secrets = new AtomicInteger();
  private final MergedTaskCalls calls =
      new MergedTaskCalls(tasks, () -> "secret-" + secrets.incrementAndGet());

  @AfterEach
  void close() {
    tasks.gate.countDown();
    calls.close();
  }

  private static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(SOON.toSeconds(), TimeUnit.SECONDS).join();
  }

  private CompletionStage<List<TakenTask>> take(String queue, int max) {
    return calls.take(queue, new Tasks.Poll("w", Set.of(), max));
  }

  private void underWay() throws InterruptedException {
    assertThat(tasks.entered.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void pollsOfOneQueueThatComeDuringACallMakeUpTheNextOne() throws InterruptedException {
    for (int i = 0; i < 40; i++) tasks.offer(PlainTasks.task("t" + i, "mail"));
    CompletionStage<List<TakenTask>> first = take("mail", 1);
    underWay();
    List<CompletionStage<List<TakenTask>>> others = new ArrayList<>();
    for (int i = 0; i < 30; i++) others.add(take("mail", 1));
    tasks.gate.countDown();
    assertThat(await(first)).hasSize(1);
    for (CompletionStage<List<TakenTask>> other : others) assertThat(await(other)).hasSize(1);
    assertThat(tasks.sizes).containsExactly(1, 30);
  }

  @Test
  void oneCallTakesABoundedNumberOfTasks() throws InterruptedException {
    CompletionStage<List<TakenTask>> first = take("mail", 1);
    underWay();
    List<CompletionStage<List<TakenTask>>> others = new ArrayList<>();
    for (int i = 0; i < 25; i++) others.add(take("mail", Tasks.TAKE_MAX));
    tasks.gate.countDown();
    await(first);
    for (CompletionStage<List<TakenTask>> other : others) await(other);
    int most = MergedTaskCalls.TAKEN_MAX / Tasks.TAKE_MAX;
    assertThat(tasks.sizes).hasSizeGreaterThan(3).allMatch(size -> size <= most);
  }

  @Test
  void aQueueThatFailsDoesNotHarmTheOthersOfItsCall() throws InterruptedException {
    tasks.offer(PlainTasks.task("a", "mail"));
    CompletionStage<List<TakenTask>> first = take("x", 1);
    underWay();
    CompletionStage<List<TakenTask>> poisoned = take(POISON, 1);
    CompletionStage<List<TakenTask>> good = take("mail", 1);
    tasks.gate.countDown();
    await(first);
    assertThat(await(good)).hasSize(1);
    assertThat(poisoned)
        .failsWithin(SOON)
        .withThrowableThat()
        .withCauseInstanceOf(StorageException.Unavailable.class);
  }

  private Tasks.Report done(TaskToken token) {
    return new Tasks.Report.Ended(token, Outcome.DONE);
  }

  @Test
  void aReportWhoseOutcomeIsUnknownIsMadeAgain() {
    tasks.gate.countDown();
    tasks.offer(PlainTasks.task("a", "mail"));
    TaskToken token = await(take("mail", 1)).getFirst().token();
    tasks.outages.set(2);
    assertThat(await(calls.hear(done(token)))).isEqualTo(new Tasks.Heard.Recorded());
  }

  @Test
  void aReportThatIsRefusedDoesNotHarmTheOthersOfItsCall() throws InterruptedException {
    tasks.gate.countDown();
    for (int i = 0; i < 10; i++) tasks.offer(PlainTasks.task("t" + i, "mail"));
    List<TakenTask> taken = await(take("mail", 10));
    List<CompletionStage<Tasks.Heard>> good = new ArrayList<>();
    TaskToken other = taken.getFirst().token();
    CompletionStage<Tasks.Heard> refused =
        calls.hear(
            new Tasks.Report.Ended(
                new TaskToken(other.id(), 1, 1, POISON),
                new Outcome.Failed(Failure.permanent("x", "y"))));
    for (TakenTask task : taken) good.add(calls.hear(done(task.token())));
    for (CompletionStage<Tasks.Heard> one : good)
      assertThat(await(one)).isEqualTo(new Tasks.Heard.Recorded());
    assertThat(refused)
        .failsWithin(SOON)
        .withThrowableThat()
        .withCauseInstanceOf(StorageException.Refused.class);
  }

  @Test
  void afterTheEndNothingIsTakenAnyMore() {
    tasks.gate.countDown();
    calls.close();
    assertThat(take("mail", 1))
        .failsWithin(SOON)
        .withThrowableThat()
        .withCauseInstanceOf(TaskDeskBusyError.class);
    assertThat(calls.hear(done(new TaskToken(PlainTasks.task("a", "mail").id(), 1, 1, "s"))))
        .failsWithin(SOON)
        .withThrowableThat()
        .withCauseInstanceOf(TaskDeskBusyError.class);
  }
}
