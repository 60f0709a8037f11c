package dev.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.TypeRef;
import dev.tenure.workflow.UpdateDefinition;
import dev.tenure.workflow.UpdateRejectedException;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A run knows how long it is, and every replay of it knows the same. */
class RunLengthTest {
  static final ActivityDefinition<String, String> ECHO =
      ActivityDefinition.of("echo", String.class, String.class);
  static final UpdateDefinition<String, Integer> ADD =
      UpdateDefinition.of("add", String.class, Integer.class);

  /** Says after all that can happen to it how long it is. */
  @Workflow(name = "measured")
  public static class Measured {
    private final List<String> lengths = new ArrayList<>();
    private int updates;

    public List<String> run(WorkflowContext ctx, String input) {
      ctx.onUpdate(
          ADD,
          text -> {
            if (text.isEmpty()) throw new UpdateRejectedException("Say something.");
          },
          text -> {
            note(ctx);
            ctx.step("update", () -> text);
            note(ctx);
            return ++updates;
          });
      note(ctx);
      AtomicInteger tries = new AtomicInteger();
      ctx.step(
          "fails twice",
          StepOptions.retry(RetryPolicy.DEFAULT),
          () -> {
            if (tries.incrementAndGet() < 3) throw new IllegalStateException("not yet");
            return "x".repeat(100_000);
          });
      note(ctx);
      ctx.record("value", Integer.class, () -> 17);
      note(ctx);
      ctx.activity(ECHO, "hello");
      note(ctx);
      ctx.attribute("customer", "ada");
      Handle<Void> dropped = ctx.timer("dropped", Duration.ofDays(1));
      dropped.cancel("not needed");
      note(ctx);
      ctx.async("branch", () -> ctx.step("in a branch", () -> 1)).get();
      note(ctx);
      ctx.child(Leaf::run, "leaf of " + ctx.info().id(), "in");
      note(ctx);
      ctx.await(() -> updates >= 2);
      note(ctx);
      ctx.sleep(Duration.ofHours(1));
      note(ctx);
      ctx.awaitSignal("done", String.class);
      note(ctx);
      return lengths;
    }

    private void note(WorkflowContext ctx) {
      WorkflowInfo info = ctx.info();
      lengths.add(info.historyEvents() + "/" + info.historyBytes());
    }
  }

  @Workflow(name = "leaf")
  public static class Leaf {
    public String run(WorkflowContext ctx, String input) {
      return input;
    }
  }

  /** Counts until it should begin anew. */
  @Workflow(name = "patient")
  public static class Patient {
    public long run(WorkflowContext ctx, String size) {
      long rounds = 0;
      while (!ctx.info().continueAsNewSuggested()) {
        ctx.step("round", () -> "x".repeat(Integer.parseInt(size)));
        rounds++;
      }
      return rounds;
    }
  }

  @RegisterExtension
  final TenureExtension tenure =
      TenureExtension.with(Measured.class)
          .workflow(Leaf.class)
          .workflow(Patient.class)
          .activity(ECHO, (call, text) -> text);

  private static List<String> lengths(TestEngine engine, String id) {
    WorkflowHandle<?> measured = engine.workflows().start(Measured::run, id, "input");
    assertThat(measured.update(ADD, "one")).isEqualTo(1);
    try {
      measured.update(ADD, "");
    } catch (UpdateRejectedException expected) {
      assertThat(expected).hasMessage("Say something.");
    }
    assertThat(measured.update(ADD, "two")).isEqualTo(2);
    engine.pass(Duration.ofHours(2));
    measured.signal("done", "yes");
    return engine.workflows().handle(id, new TypeRef<List<String>>() {}).result();
  }

  @Test
  void aReplayComesToTheSameLength(TestEngine engine) {
    List<String> calm = lengths(engine, "one");
    engine.crashAfterEveryCommit();
    List<String> replayed = lengths(engine, "two");

    assertThat(engine.crashes()).isGreaterThan(10);
    assertThat(replayed).isEqualTo(calm).doesNotHaveDuplicates();
  }

  @Test
  void aLongRunShouldContinueAsNew(TestEngine engine) {
    // Each round is asked for and told.
    assertThat(engine.workflows().start(Patient::run, "many", "1").result())
        .isEqualTo(WorkflowInfo.CONTINUE_AS_NEW_EVENTS / 2);
  }

  @Test
  void aLargeRunShouldContinueAsNew(TestEngine engine) {
    assertThat(engine.workflows().start(Patient::run, "large", "10000000").result()).isEqualTo(4);
  }
}
