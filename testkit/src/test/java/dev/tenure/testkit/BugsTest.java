package dev.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.sharding.client.WorkflowFailedException;
import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.sharding.workflow.WorkflowError;
import dev.tenure.workflow.OnBug;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowFailure;
import dev.tenure.workflow.kernel.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A bug in a workflow's code stops its run, and the next deploy goes on from there. */
class BugsTest {
  /** What is deployed: the code as it is before, or after, somebody mended it. */
  private static volatile boolean mended;

  private static final List<String> DONE = new CopyOnWriteArrayList<>();

  private static final StepOptions ONCE = StepOptions.retry(RetryPolicy.NONE);

  /** One class of the user's own, which no constructor makes again. */
  public static final class OutOfStock extends Exception {
    private static final long serialVersionUID = 1L;

    OutOfStock(int left, String item) {
      super(left + " of " + item);
    }
  }

  private static String bug(Throwable what) {
    if (mended) return "mended";
    throw BugsTest.<RuntimeException>sneaky(what);
  }

  @SuppressWarnings("unchecked")
  private static <X extends Throwable> X sneaky(Throwable thrown) throws X {
    throw (X) thrown;
  }

  private static String fails(WorkflowContext ctx) {
    return ctx.step(
        "fails",
        ONCE,
        () -> {
          throw new IllegalStateException("on purpose");
        });
  }

  @Workflow(name = "fragile")
  public static class Fragile {
    public String run(WorkflowContext ctx, String how) throws OutOfStock {
      ctx.onUpdate("poke", String.class, what -> bug(new NullPointerException(what)));
      ctx.step("first", () -> DONE.add("first"));
      String said =
          switch (how) {
            case "null" -> bug(new NullPointerException("no address"));
            case "assert" -> bug(new AssertionError("cannot be"));
            case "deep" -> bug(new StackOverflowError("too deep"));
            case "undeclared" -> bug(new InterruptedException("who declared that"));
            case "declared" -> throw new OutOfStock(0, "lamps");
            case "on purpose" -> throw WorkflowFailure.permanent("sold-out", "none left");
            case "step" -> fails(ctx);
            case "wrapped" -> wrapped(ctx);
            case "reworded" -> reworded(ctx);
            case "saga" -> saga(ctx);
            case "branch" ->
                ctx.async("branch", () -> bug(new IllegalArgumentException("minus one"))).get();
            default -> {
              ctx.awaitSignal("end", String.class);
              yield "ended";
            }
          };
      ctx.step("last", () -> DONE.add("last"));
      return said;
    }

    private String wrapped(WorkflowContext ctx) {
      try {
        return fails(ctx);
      } catch (IllegalStateException e) {
        throw new IllegalArgumentException("while looking: " + e.getMessage(), e);
      }
    }

    private String reworded(WorkflowContext ctx) {
      try {
        return fails(ctx);
      } catch (IllegalStateException e) {
        return bug(new IllegalArgumentException("while looking: " + e.getMessage()));
      }
    }

    private String saga(WorkflowContext ctx) {
      return ctx.saga(
          saga -> {
            saga.step("book", () -> DONE.add("book"), done -> DONE.add("undo"));
            return bug(new NullPointerException("no hotel"));
          });
    }
  }

  @Workflow(name = "heavy")
  public static class Heavy {
    public String run(WorkflowContext ctx) {
      try {
        return ctx.step(
            "heavy",
            () -> {
              if (!mended) DONE.add("tried");
              return bug(new OutOfMemoryError("heap"));
            });
      } catch (Throwable caught) {
        // The engine takes the thread out of the code by an error; all others are learned.
        if (caught instanceof Exception) DONE.add("caught " + caught);
        throw caught;
      }
    }
  }

  @Workflow(name = "strict", onBug = OnBug.FAIL)
  public static class Strict {
    public String run(WorkflowContext ctx, String how) {
      return bug(how.equals("error") ? new AssertionError("x") : new NullPointerException("x"));
    }
  }

  @RegisterExtension
  final TenureExtension tenure =
      TenureExtension.with(Fragile.class).workflow(Strict.class).workflow(Heavy.class);

  @BeforeEach
  void begin() {
    mended = false;
    DONE.clear();
  }

  private WorkflowHandle<String> start(String how) {
    var workflows = tenure.engine().workflows();
    return workflows.start(workflows.request("fragile", "one", how), String.class);
  }

  private String incident(WorkflowHandle<?> workflow) {
    assertThat(workflow.describe().status()).isEqualTo(Status.INCIDENT);
    return workflow.describe().incident().orElseThrow().message();
  }

  private void goesOn(String how, String says) {
    WorkflowHandle<String> run = start(how);
    assertThat(incident(run)).startsWith("bug: ").contains(says).contains("BugsTest");
    mended = true;
    assertThat(run.resolveIncident("deployed")).isTrue();
    assertThat(run.result()).isEqualTo("mended");
    assertThat(DONE).contains("first", "last").doesNotContain("undo").doesNotHaveDuplicates();
  }

  @Test
  void anUnexpectedExceptionIsAnIncidentAndTheNextDeployGoesOn() {
    goesOn("null", "java.lang.NullPointerException: no address");
  }

  @Test
  void soIsAnAssertion() {
    goesOn("assert", "java.lang.AssertionError: cannot be");
  }

  @Test
  void soIsACheckedExceptionThatNobodyDeclared() {
    goesOn("undeclared", "java.lang.InterruptedException");
  }

  @Test
  void soIsOneInABranch() {
    goesOn("branch", "java.lang.IllegalArgumentException: minus one");
  }

  @Test
  void soIsAFailureThatTheCodePutsInOtherWords() {
    goesOn("reworded", "java.lang.IllegalArgumentException: while looking: on purpose");
  }

  @Test
  void aBugInASagaUndoesNothing() {
    goesOn("saga", "java.lang.NullPointerException: no hotel");
  }

  @Test
  void aStackThatOverflowsIsNoOutcome() {
    WorkflowHandle<String> run = start("deep");
    assertThat(incident(run)).startsWith("broken-code: java.lang.StackOverflowError");
    mended = true;
    run.resolveIncident("deployed");
    assertThat(run.result()).isEqualTo("mended");
  }

  @Test
  void anErrorOfAStepIsNeverLearnedByTheCode() {
    var workflows = tenure.engine().workflows();
    WorkflowHandle<String> run = workflows.start(Heavy::run, "heavy");
    tenure.engine().pass(Duration.ofMinutes(1));
    assertThat(incident(run))
        .contains("heavy#1", "after 3 attempts", "java.lang.OutOfMemoryError: heap");
    mended = true;
    run.resolveIncident("more memory");
    assertThat(run.result()).isEqualTo("mended");
    assertThat(DONE).hasSize(3);
  }

  @Test
  void itStaysAnIncidentWhenTheCodeIsNotMended() {
    WorkflowHandle<String> run = start("null");
    assertThatThrownBy(() -> run.resolveIncident("hoping"))
        .isInstanceOf(WorkflowError.NotNow.class)
        .hasMessageContaining("no address");
    assertThat(incident(run)).contains("no address");
    tenure.engine().pass(Duration.ofHours(1));
    mended = true;
    run.resolveIncident("deployed");
    assertThat(run.result()).isEqualTo("mended");
  }

  @Test
  void crashesDoNotChangeThat() {
    tenure.engine().crashAfterCommit(1);
    goesOn("null", "no address");
    assertThat(tenure.engine().crashes()).isEqualTo(1);
  }

  @Test
  void whatIsThrownOnPurposeFailsTheWorkflow() {
    assertThatThrownBy(start("on purpose")::result)
        .isInstanceOf(WorkflowFailedException.class)
        .hasMessageContaining("none left");
  }

  @Test
  void whatRunDeclaresFailsTheWorkflow() {
    assertThatThrownBy(start("declared")::result)
        .isInstanceOf(WorkflowFailedException.class)
        .hasMessageContaining("0 of lamps");
  }

  @Test
  void whatAStepFailedWithFailsTheWorkflowWhenTheCodeLetsItThrough() {
    assertThatThrownBy(start("step")::result)
        .isInstanceOf(WorkflowFailedException.class)
        .hasMessageContaining("on purpose")
        .hasCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void alsoWhenTheCodeWrapsIt() {
    assertThatThrownBy(start("wrapped")::result)
        .isInstanceOf(WorkflowFailedException.class)
        .hasMessageContaining("while looking: on purpose");
  }

  @Test
  void aBugInAnUpdateStopsTheRunAndIsAnsweredWhenItIsMended() {
    WorkflowHandle<String> run = start("waits");
    var workflows = tenure.engine().workflows().async();
    var answer =
        workflows.update(
            run.id(), "poke-1", "poke", Payload.of("\"x\"".getBytes(StandardCharsets.UTF_8)));
    tenure.engine().pass(Duration.ofSeconds(1));
    assertThat(incident(run)).startsWith("bug: ").contains("NullPointerException: x");
    mended = true;
    run.resolveIncident("deployed");
    tenure.engine().pass(Duration.ofSeconds(10));
    assertThat(answer.toCompletableFuture().join().toString()).contains("Succeeded");
    run.signal("end", "now");
    assertThat(run.result()).isEqualTo("ended");
  }

  @Test
  void aWorkflowMaySayThatItFailsInstead() {
    var workflows = tenure.engine().workflows();
    WorkflowHandle<String> strict =
        workflows.start(workflows.request("strict", "s", "null"), String.class);
    assertThatThrownBy(strict::result).isInstanceOf(WorkflowFailedException.class);

    WorkflowHandle<String> error =
        workflows.start(workflows.request("strict", "e", "error"), String.class);
    assertThat(incident(error)).contains("AssertionError");
  }
}
