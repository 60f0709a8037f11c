package dev.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.StepFailedException;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a step throws is the same in the first run and in each replay of it. */
class ThrownAlikeTest {
  /** Its message says more than it was given. */
  public static class Declined extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Declined(String reason) {
      super("Declined: " + reason);
    }
  }

  /** It knows something that its message does not say. */
  public static class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;
    public int status;

    public Refused(String message) {
      super(message);
    }
  }

  private static Refused refused(int status) {
    Refused refused = new Refused("no");
    refused.status = status;
    return refused;
  }

  private static final List<Throwable> CAUGHT = new CopyOnWriteArrayList<>();
  private static volatile Supplier<Throwable> thrown;

  @Workflow(name = "lookup")
  public static class Lookup {
    private boolean approved;

    public String run(WorkflowContext ctx) throws Throwable {
      ctx.onUpdate("approve", Boolean.class, yes -> approved = yes);
      String caught = "nothing";
      try {
        ctx.step(
            "look up",
            StepOptions.retry(RetryPolicy.NONE),
            () -> {
              Throwable one = thrown.get();
              if (one instanceof Error error) throw error;
              throw (Exception) one;
            });
      } catch (Exception e) {
        CAUGHT.add(e);
        caught = e.getClass().getSimpleName();
      }
      ctx.await(() -> approved);
      return caught + ctx.step("after", () -> "!");
    }
  }

  @RegisterExtension final TenureExtension tenure = TenureExtension.with(Lookup.class);

  /** Runs it, lets it leave the memory, and goes on with it. */
  private String run(Supplier<Throwable> what) {
    thrown = what;
    CAUGHT.clear();
    WorkflowHandle<String> lookup = start();
    tenure.engine().pass(Duration.ofMinutes(1));
    lookup.update("approve", true, Boolean.class);
    String result = lookup.result();
    assertThat(CAUGHT).hasSizeGreaterThan(1);
    assertThat(CAUGHT.stream().map(Throwable::getClass).distinct()).hasSize(1);
    assertThat(CAUGHT.stream().map(Throwable::getMessage).distinct()).hasSize(1);
    return result;
  }

  private WorkflowHandle<String> start() {
    var request = tenure.engine().workflows().request(Lookup.class, "lookup", null);
    return tenure.engine().workflows().start(request, String.class);
  }

  @Test
  void anExceptionThatIsItsMessageIsOfItsOwnClass() {
    assertThat(run(() -> new IllegalStateException("no luck"))).isEqualTo("IllegalStateException!");
    assertThat(CAUGHT.getFirst())
        .hasMessage("no luck")
        .hasCauseInstanceOf(StepFailedException.class);
  }

  @Test
  void aCheckedOneToo() {
    assertThat(run(() -> new IOException("no line"))).isEqualTo("IOException!");
  }

  @Test
  void oneWithoutAMessageHasNoneAgain() {
    assertThat(run(IllegalStateException::new)).isEqualTo("IllegalStateException!");
    assertThat(CAUGHT.getFirst()).hasMessage(null);
  }

  @Test
  void aFailureOnPurposeKeepsItsCode() {
    assertThat(run(() -> WorkflowFailure.permanent("E7", "sold out")))
        .isEqualTo("WorkflowFailure!");
    assertThat(((WorkflowFailure) CAUGHT.getFirst()).code()).contains("E7");
  }

  @Test
  void oneThatCannotBeConstructedAgainArrivesAsARecord() {
    assertThat(run(() -> new UncheckedIOException("gone", new IOException("404"))))
        .isEqualTo("StepFailedException!");
    assertThat(CAUGHT.getFirst())
        .hasMessage("Step look up#1: java.io.UncheckedIOException: gone")
        .hasStackTraceContaining("ThrownAlikeTest")
        .hasStackTraceContaining("Caused by: java.io.IOException: 404");
  }

  @Test
  void oneThatWouldLoseWhatItKnowsArrivesAsARecord() {
    assertThat(run(() -> refused(404))).isEqualTo("StepFailedException!");
  }

  @Test
  void anExceptionOfADatabaseArrivesAsARecordWhenItHasItsCode() {
    assertThat(run(() -> new SQLException("twice", "23505", 7))).isEqualTo("StepFailedException!");
  }

  @Test
  void oneThatKnowsNothingMoreIsOfItsOwnClassAlthoughItCould() {
    assertThat(run(() -> refused(0))).isEqualTo("Refused!");
  }

  @Test
  void oneWhoseMessageWouldGrowArrivesAsARecord() {
    assertThat(run(() -> new Declined("no money"))).isEqualTo("StepFailedException!");
  }
}
