package dev.tenure.sharding.code;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.branch.ExecutionGate;
import dev.tenure.sharding.branch.WorkClock;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.sharding.pool.CodeThreads;
import dev.tenure.sharding.program.Inquiry;
import dev.tenure.sharding.program.ProgramReports;
import dev.tenure.sharding.program.ProgramRun;
import dev.tenure.sharding.program.StepEnd;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.News;
import dev.tenure.workflow.kernel.Start;
import dev.tenure.workflow.kernel.Wishes;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What of a run's time counts as its code's: on a clock that the code and the store turn. */
class WorkClockTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final long MS = 1_000_000;
  private static final long SECOND = 1_000 * MS;
  private static final int STEPS = 1_000;

  /** The newest test's; tests of one class run one after the other. */
  private static final AtomicLong NANOS = new AtomicLong();

  private static volatile CodeProgram program;
  private static volatile long longest;

  @Workflow(name = "many-steps")
  public static class ManySteps {
    public int run(WorkflowContext ctx) {
      int sum = 0;
      for (int i = 0; i < STEPS; i++) {
        sum += ctx.step("count", () -> 1);
        NANOS.addAndGet(10 * MS);
        longest = Math.max(longest, program.ranNanos());
      }
      return sum;
    }
  }

  private static Wishes replay(Payload each) throws Exception {
    NANOS.set(1);
    longest = 0;
    CompletableFuture<Wishes> wished = new CompletableFuture<>();
    ProgramReports reports =
        new ProgramReports() {
          @Override
          public void advanced(ProgramRun from, Wishes wishes) {
            wished.complete(wishes);
          }

          @Override
          public void stepEnded(ProgramRun from, StepEnd end) {}

          @Override
          public void answered(ProgramRun from, Inquiry.Reply reply) {}

          @Override
          public void broken(ProgramRun from, Throwable why) {
            wished.completeExceptionally(why);
          }
        };
    program =
        new CodeProgram(
            new CodeSetting(
                WorkflowRegistration.of(ManySteps.class, ManySteps::new),
                "many",
                PayloadCodec.standard(),
                () -> NOW,
                ExecutionGate.FREE,
                CodeThreads.JDK),
            reports,
            NANOS::get);
    List<News> news = new ArrayList<>();
    Set<OperationId> recorded = new HashSet<>();
    news.add(
        new News.Started(
            NOW,
            new Start(
                WorkflowId.of("many"),
                "run",
                new WorkflowType("many-steps", 1),
                Payload.NONE,
                1,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Map.of())));
    for (int i = 1; i <= STEPS; i++) {
      OperationId id = OperationId.of("", "count", i);
      recorded.add(id);
      news.add(new News.Completed(NOW, id, new Outcome.Succeeded(each)));
    }
    program.replay(news, recorded);
    try {
      return wished.get(60, TimeUnit.SECONDS);
    } finally {
      program.destroy();
    }
  }

  @Test
  void aLongReplayIsManyShortOnes() throws Exception {
    Payload one = PayloadCodec.standard().writeNamed(1, "one");
    assertThat(replay(one).wishes()).hasSize(STEPS + 1);
    assertThat(NANOS.get()).isGreaterThan(STEPS * 10 * MS);
    assertThat(longest).isLessThanOrEqualTo(20 * MS);
  }

  @Test
  void theTimeOfTheStoreIsNotTheCodes() throws Exception {
    byte[] bytes = PayloadCodec.standard().writeNamed(1, "one").bytes();
    Payload elsewhere =
        Payload.elsewhere(
            bytes.length,
            "any",
            "many",
            () -> {
              NANOS.addAndGet(3 * SECOND);
              return bytes;
            });
    assertThat(replay(elsewhere).wishes()).hasSize(STEPS + 1);
    assertThat(NANOS.get()).isGreaterThan(STEPS * 3 * SECOND);
    assertThat(longest).isLessThanOrEqualTo(20 * MS);
  }

  @Test
  void onlyTheTimeOfAThreadThatRunsCounts() {
    AtomicLong now = new AtomicLong();
    WorkClock clock = new WorkClock(now::get);
    assertThat(clock.since()).isZero();
    clock.begins();
    assertThat(clock.since()).isNotZero();
    now.addAndGet(5 * SECOND);
    assertThat(clock.ranNanos()).as("it waits for its first carrier").isZero();
    clock.runs();
    now.addAndGet(2 * SECOND);
    assertThat(clock.ranNanos()).isEqualTo(2 * SECOND);
    clock.waits();
    now.addAndGet(5 * SECOND);
    assertThat(clock.ranNanos()).as("the next thread has none yet").isEqualTo(2 * SECOND);
    clock.runs();
    now.addAndGet(SECOND);
    assertThat(clock.ranNanos()).as("hand-overs for one news add up").isEqualTo(3 * SECOND);
    long first = clock.since();
    clock.news();
    assertThat(clock.since()).isNotEqualTo(first);
    assertThat(clock.ranNanos()).isZero();
    now.addAndGet(SECOND);
    assertThat(clock.ranNanos()).isEqualTo(SECOND);
    clock.quiet();
    assertThat(clock.since()).isZero();
  }
}
