package dev.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.sharding.history.History;
import dev.tenure.sharding.history.HistoryFile;
import dev.tenure.sharding.history.InvalidHistoryException;
import dev.tenure.sharding.workflow.StartRequest;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.StartPolicy;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Histories that were recorded with the code of yesterday. */
class ReplaysTest {
  @Workflow(name = "greeting")
  public static class Greeting {
    public String run(WorkflowContext ctx, String name) {
      String hello = ctx.step("hello", () -> "Hello " + name);
      ctx.sleep(Duration.ofDays(1));
      return ctx.step("bye", () -> hello + " and bye");
    }
  }

  @Workflow(name = "greeting", version = 2)
  public static class MoreAtTheEnd {
    public String run(WorkflowContext ctx, String name) {
      String hello = ctx.step("hello", () -> "Hello " + name);
      ctx.stepAsync("more", StepOptions.DEFAULT, () -> 1);
      ctx.sleep(Duration.ofDays(1));
      return ctx.step("bye", () -> hello + " and bye");
    }
  }

  @Workflow(name = "greeting", version = 3)
  public static class Renamed {
    public String run(WorkflowContext ctx, String name) {
      String hello = ctx.step("hi", () -> "Hello " + name);
      ctx.sleep(Duration.ofDays(1));
      return ctx.step("bye", () -> hello + " and bye");
    }
  }

  @Workflow(name = "greeting", version = 4)
  public static class Otherwise {
    public String run(WorkflowContext ctx, String name) {
      ctx.record("hello", String.class, () -> "Hello " + name);
      ctx.step("hello", () -> "Hello " + name);
      ctx.sleep(Duration.ofDays(1));
      ctx.step("bye", () -> "bye");
      return ctx.step("and", () -> "so on");
    }
  }

  private static final ActivityDefinition<String, String> CALL =
      ActivityDefinition.of("call", String.class, String.class);

  @Workflow(name = "calls")
  public static class Calls {
    public List<String> run(WorkflowContext ctx) {
      return List.of(ctx.activity(CALL, "Ann"), ctx.activity(CALL, "Bob"));
    }
  }

  @Workflow(name = "calls", version = 2)
  public static class SwappedCalls {
    public List<String> run(WorkflowContext ctx) {
      return List.of(ctx.activity(CALL, "Bob"), ctx.activity(CALL, "Ann"));
    }
  }

  @RegisterExtension
  final TenureExtension tenure =
      TenureExtension.with(Greeting.class)
          .workflow(Calls.class, Calls::new)
          .activity(CALL, (call, name) -> "called " + name);

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void record() {
    WorkflowHandle<String> greeting = tenure.engine().workflows().start(Greeting::run, "g", "Ann");
    greeting.result();
    file = folder.resolve("g.history");
    HistoryFile.write(tenure.engine().history(greeting), file);
  }

  @Test
  void theSameCodeReplays() {
    Replays.assertReplays(file, Greeting.class);
  }

  @Test
  void aNewOperationThatWaitsForNothingFits() {
    assertThatCode(() -> Replays.assertReplays(file, MoreAtTheEnd.class))
        .doesNotThrowAnyException();
  }

  @Test
  void anOperationThatIsMissingIsADriftWithItsStory() {
    assertThatThrownBy(() -> Replays.assertReplays(file, Renamed.class))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("greeting")
        .hasMessageContaining("does not fit the history of \"g\"")
        .hasMessageContaining("recorded: hello#1, a STEP, in commit 1")
        .hasMessageContaining("does not ask for it any more")
        .hasMessageContaining("new in the code: [hi#1]");
  }

  @Test
  void callsOfOneActivityThatChangedPlacesAreADrift() {
    WorkflowHandle<List<String>> calls = tenure.engine().workflows().start(Calls::run, "c");
    assertThat(calls.result()).containsExactly("called Ann", "called Bob");
    History history = tenure.engine().history(calls);
    Replays.assertReplays(history, Calls.class);
    assertThatThrownBy(() -> Replays.assertReplays(history, SwappedCalls.class))
        .hasMessageContaining("recorded: call#1, a ACTIVITY, in commit 1")
        .hasMessageContaining("asks for it with input sha256:")
        .hasMessageContaining("recorded with sha256:");
  }

  @Test
  void codeThatGoesOnWhereTheHistoryEndedIsADrift() {
    assertThatThrownBy(() -> Replays.assertReplays(file, Otherwise.class))
        .hasMessageContaining("recorded: the workflow came out as succeeded")
        .hasMessageContaining("and#1");
  }

  @Test
  void anIdThatWasStartedAgainIsComparedWithTheEndOfItsLastRun() {
    StartRequest again =
        tenure
            .engine()
            .workflows()
            .request(Greeting.class, "g", "Bob")
            .ifTaken(StartPolicy.ALLOW_IF_CLOSED);
    WorkflowHandle<String> second = tenure.engine().workflows().start(again, String.class);
    second.cancel("enough");
    assertThatThrownBy(second::result).hasMessageContaining("enough");

    Replays.assertReplays(tenure.engine().history(second), Greeting.class);
  }

  @Test
  void aFileThatIsCutShortOrDamagedIsRefused() throws IOException {
    List<String> lines = Files.readAllLines(file);
    assertThat(lines.getFirst()).contains("\"format\":\"tenure-history/2\"");
    History read = HistoryFile.read(lines);
    assertThat(read.id().value()).isEqualTo("g");

    assertThatThrownBy(() -> HistoryFile.read(lines.subList(0, 2)))
        .isInstanceOf(InvalidHistoryException.class)
        .hasMessageContaining("should have");
    List<String> swapped = List.of(lines.get(0), lines.get(2), lines.get(1), lines.get(3));
    assertThatThrownBy(() -> HistoryFile.read(swapped)).isInstanceOf(InvalidHistoryException.class);
    assertThatThrownBy(() -> HistoryFile.read(List.of("{}")))
        .isInstanceOf(InvalidHistoryException.class)
        .hasMessageContaining("export it");
  }
}
