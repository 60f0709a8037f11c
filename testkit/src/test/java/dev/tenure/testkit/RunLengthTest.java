package dev.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.UpdateDefinition;
import dev.tenure.workflow.UpdateRejectedException;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
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
    /** What each place of each run saw when the code first came by. */
    static final Map<String, String> SEEN = new ConcurrentHashMap<>();

    static final List<String> DIFFERENT = new CopyOnWriteArrayList<>();

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
      ctx.step("fails twice", () -> "x".repeat(100_000));
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
      String length = info.historyEvents() + "/" + info.historyBytes();
      String before = SEEN.putIfAbsent(info.runId() + " " + lengths.size(), length);
      // Not thrown here: it would be an outcome of the workflow.
      if (before != null && !before.equals(length)) DIFFERENT.add(before + " -> " + length);
      lengths.add(length);
    }
  }

  @Workflow(name = "leaf")
  public static class Leaf {
    public String run(WorkflowContext ctx, String input) {
      return input;
    }
  }

  /** What it is written as grows with a deploy. */
  public record Parcel(String id, @JsonInclude(JsonInclude.Include.NON_NULL) String note) {
    static volatile boolean deployed;

    static Parcel of(String id) {
      return new Parcel(id, deployed ? "n".repeat(1000) : null);
    }
  }

  static final ActivityDefinition<Parcel, String> SEND =
      ActivityDefinition.of("send", Parcel.class, String.class);

  /** Notes its length before and after the deploy. */
  @Workflow(name = "deployed")
  public static class Deployed {
    static final List<String> SEEN = new CopyOnWriteArrayList<>();

    public String run(WorkflowContext ctx) {
      List<String> weighed = new ArrayList<>();
      ctx.onUpdate("weigh", String.class, id -> weigh(weighed, id));
      ctx.activity(SEND, Parcel.of("one"));
      ctx.child(ParcelLeaf::run, "leaf", Parcel.of("two"));
      ctx.signalWorkflow(ctx.info().id(), "arrived", Parcel.of("three"));
      ctx.awaitSignal("arrived", Parcel.class);
      ctx.record("value", Parcel.class, () -> Parcel.of("four"));
      ctx.await(() -> !weighed.isEmpty());
      SEEN.add(ctx.info().historyEvents() + "/" + ctx.info().historyBytes());
      ctx.awaitSignal("go", String.class);
      return "done";
    }

    private static Parcel weigh(List<String> weighed, String id) {
      weighed.add(id);
      return Parcel.of(id);
    }
  }

  @Workflow(name = "parcel-leaf")
  public static class ParcelLeaf {
    public String run(WorkflowContext ctx, Parcel parcel) {
      return parcel.id();
    }
  }

  /** Notes its length once it has given an answer that is too large. */
  @Workflow(name = "loud")
  public static class Loud {
    static final List<String> SEEN = new CopyOnWriteArrayList<>();

    private boolean shouted;

    public String run(WorkflowContext ctx) {
      ctx.onUpdate("shout", Integer.class, this::shout);
      ctx.await(() -> shouted);
      ctx.awaitHandlers();
      SEEN.add(ctx.info().historyEvents() + "/" + ctx.info().historyBytes());
      ctx.awaitSignal("go", String.class);
      return "done";
    }

    private String shout(int bytes) {
      shouted = true;
      return "x".repeat(bytes);
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
          .workflow(Deployed.class)
          .workflow(Loud.class)
          .workflow(ParcelLeaf.class)
          .activity(SEND, (call, parcel) -> parcel.id())
          .activity(ECHO, (call, text) -> text);

  @Test
  void aReplayComesToTheSameLength(TestEngine engine) {
    engine.fakeStep(
        "fails twice",
        call -> {
          if (call.attempt() < 3) throw new IllegalStateException("not yet");
          return call.genuine();
        });
    engine.crashAfterEveryCommit();
    WorkflowHandle<List<String>> measured =
        engine.workflows().start(Measured::run, "measured", "input");
    assertThat(measured.update(ADD, "one")).isEqualTo(1);
    assertThatThrownBy(() -> measured.update(ADD, "")).isInstanceOf(UpdateRejectedException.class);
    assertThat(measured.update(ADD, "two")).isEqualTo(2);
    engine.pass(Duration.ofHours(2));
    measured.signal("done", "yes");

    assertThat(measured.result()).hasSize(14).first().isEqualTo("1/7");
    assertThat(engine.crashes()).isGreaterThan(10);
    assertThat(Measured.DIFFERENT).isEmpty();
    Replays.assertReplays(engine.history(measured), Measured.class);
    assertThat(Measured.DIFFERENT).isEmpty();
  }

  @Test
  void aDeployThatWritesMoreDoesNotMakeItLonger(TestEngine engine) {
    Parcel.deployed = false;
    WorkflowHandle<String> run = engine.workflows().start(Deployed::run, "deployed");
    run.update("weigh", "five", Parcel.class);
    engine.pass(Duration.ofMinutes(1));
    int before = Deployed.SEEN.size();
    Parcel.deployed = true;
    run.signal("go", "now");
    assertThat(run.result()).isEqualTo("done");
    assertThat(Deployed.SEEN.size()).as("it was replayed").isGreaterThan(before);
    assertThat(Deployed.SEEN.stream().distinct()).hasSize(1);
  }

  /** On record is that it failed. The code counted what it gave. */
  @Test
  void anAnswerThatWasTooLargeCountsTheSameInAReplay(TestEngine engine) {
    engine.crashAfterEveryCommit();
    WorkflowHandle<String> run = engine.workflows().start(Loud::run, "loud");
    assertThatThrownBy(() -> run.update("shout", 100_000, String.class))
        .hasMessageContaining("UPDATE_ANSWER_BYTES_MAX");
    run.signal("go", "now");
    assertThat(run.result()).isEqualTo("done");
    assertThat(Loud.SEEN).as("it was replayed").hasSizeGreaterThan(1);
    assertThat(Loud.SEEN.stream().distinct()).hasSize(1);
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
