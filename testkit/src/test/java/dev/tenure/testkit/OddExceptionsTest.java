package dev.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import dev.tenure.sharding.client.WorkflowFailedException;
import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.TypeRef;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.kernel.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Exceptions whose own code fails, and those of code that reads values. */
class OddExceptionsTest {
  /** Nothing can be asked of it. */
  public static final class Mute extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new NullPointerException("no message");
    }

    @Override
    public String toString() {
      throw new AssertionError("no text");
    }

    @Override
    public synchronized Throwable getCause() {
      throw new IllegalStateException("no cause");
    }
  }

  public static final class PriceReader extends StdDeserializer<Price> {
    private static final long serialVersionUID = 1L;

    public PriceReader() {
      super(Price.class);
    }

    @Override
    public Price deserialize(JsonParser json, DeserializationContext context)
        throws java.io.IOException {
      int cents = json.<JsonNode>readValueAsTree().path("cents").asInt();
      if (!readable) throw new NullPointerException("no currency");
      return new Price(cents);
    }
  }

  @JsonDeserialize(using = PriceReader.class)
  public record Price(int cents) {}

  static final ActivityDefinition<String, String> FAILS =
      ActivityDefinition.of("fails", String.class, String.class).withRetry(RetryPolicy.NONE);

  private static final StepOptions ONCE = StepOptions.retry(RetryPolicy.NONE);
  private static final AtomicInteger CALLS = new AtomicInteger();
  private static volatile boolean readable;
  private static volatile boolean mended;
  private static volatile String wrong;

  @Workflow(name = "odd")
  public static class Odd {
    public String run(WorkflowContext ctx, String how) {
      return switch (how) {
        case "step" -> ctx.step("mute", ONCE, OddExceptionsTest::mute);
        case "activity" -> ctx.activity(FAILS, "x");
        case "bug" -> mended ? "mended" : mute();
        case "price" -> "" + ctx.step("price", OddExceptionsTest::price).cents();
        case "typed price" ->
            "" + ctx.step("price", TypeRef.of(Price.class), OddExceptionsTest::price).cents();
        default -> throw new IllegalArgumentException(how);
      };
    }
  }

  @Workflow(name = "priced")
  public static class Priced {
    public String run(WorkflowContext ctx) {
      int cents = ctx.step("price", OddExceptionsTest::price).cents();
      ctx.awaitSignal("go", String.class);
      return "" + cents;
    }
  }

  @Workflow(name = "checked")
  public static class Checked {
    private final List<String> taken = new ArrayList<>();

    public List<String> run(WorkflowContext ctx) {
      ctx.onUpdate(
          "take",
          String.class,
          text -> {
            if (text.equals(wrong)) throw new AssertionError("not " + text);
          },
          text -> {
            taken.add(text);
            return taken.size();
          });
      ctx.awaitSignal("go", String.class);
      return taken;
    }
  }

  private static String mute() {
    throw new Mute();
  }

  private static Price price() {
    CALLS.incrementAndGet();
    return new Price(1);
  }

  @RegisterExtension
  final TenureExtension tenure =
      TenureExtension.with(Odd.class)
          .workflow(Priced.class)
          .workflow(Checked.class)
          .activity(
              FAILS,
              (call, text) -> {
                throw new Mute();
              });

  @BeforeEach
  void begin() {
    readable = true;
    mended = false;
    wrong = "";
    CALLS.set(0);
  }

  private WorkflowHandle<String> start(String how) {
    return tenure.engine().workflows().start(Odd::run, "one", how);
  }

  private String incident(WorkflowHandle<?> workflow) {
    assertThat(workflow.describe().status()).isEqualTo(Status.INCIDENT);
    return workflow.describe().incident().orElseThrow().message();
  }

  @Test
  void aStepThatThrowsAMuteExceptionHasFailed() {
    assertThatThrownBy(start("step")::result)
        .isInstanceOf(WorkflowFailedException.class)
        .hasMessageContaining(Mute.class.getName());
  }

  @Test
  void soHasAnActivity() {
    assertThatThrownBy(start("activity")::result)
        .isInstanceOf(WorkflowFailedException.class)
        .hasMessageContaining(Mute.class.getName());
  }

  @Test
  void aBugThatThrowsAMuteExceptionIsAnIncidentThatNamesItsClass() {
    WorkflowHandle<String> run = start("bug");
    assertThat(incident(run))
        .startsWith("bug: ")
        .contains(Mute.class.getName() + ": (its toString() threw java.lang.AssertionError)");
    mended = true;
    run.resolveIncident("deployed");
    assertThat(run.result()).isEqualTo("mended");
  }

  @Test
  void aResultWhoseReaderFailsIsMadeOnce() {
    readable = false;
    assertThat(incident(start("price"))).contains("price#1").contains("no currency");
    tenure.engine().pass(Duration.ofDays(1));
    assertThat(CALLS).hasValue(1);
  }

  @Test
  void soIsOneOfADeclaredType() {
    readable = false;
    assertThat(incident(start("typed price")))
        .contains("price#1")
        .contains("NullPointerException: no currency");
    tenure.engine().pass(Duration.ofDays(1));
    assertThat(CALLS).hasValue(1);
  }

  @Test
  void aReaderThatFailsInAReplayIsAnIncident() {
    WorkflowHandle<String> run = tenure.engine().workflows().start(Priced::run, "priced");
    readable = false;
    tenure.engine().pass(Duration.ofMinutes(1));
    run.signal("go", "now");
    assertThat(incident(run)).startsWith("unreadable-value: ").contains("no currency");
    readable = true;
    run.resolveIncident("deployed");
    assertThat(run.result()).isEqualTo("1");
    assertThat(CALLS).hasValue(1);
  }

  @Test
  void anErrorOfAValidatorRefusesTheUpdate() {
    wrong = "this";
    WorkflowHandle<List<String>> run = tenure.engine().workflows().start(Checked::run, "checked");
    assertThatThrownBy(() -> run.update("take", "this", Integer.class))
        .hasMessageContaining("AssertionError")
        .hasMessageContaining("not this");
    assertThat(run.describe().status()).isEqualTo(Status.WAITING);
    assertThat(run.update("take", "that", Integer.class)).isEqualTo(1);
    run.signal("go", "now");
    assertThat(run.result()).containsExactly("that");
  }

  @Test
  void ofAnUpdateThatIsOnRecordItIsABug() {
    WorkflowHandle<List<String>> run = tenure.engine().workflows().start(Checked::run, "checked");
    assertThat(run.update("take", "this", Integer.class)).isEqualTo(1);
    tenure.engine().pass(Duration.ofMinutes(1));
    wrong = "this";
    run.signal("go", "now");
    assertThat(incident(run)).startsWith("bug: ").contains("not this");
    wrong = "";
    run.resolveIncident("deployed");
    assertThat(run.result()).containsExactly("this");
  }

  @Test
  void oneThatIsOnRecordAsRefusedIsRefusedAgain() {
    WorkflowHandle<List<String>> run = tenure.engine().workflows().start(Checked::run, "checked");
    run.pause("held");
    wrong = "this";
    var workflows = tenure.engine().workflows().async();
    var answer =
        workflows.update(
            run.id(), "one", "take", Payload.of("\"this\"".getBytes(StandardCharsets.UTF_8)));
    tenure.engine().pass(Duration.ofSeconds(1));
    run.resume();
    tenure.engine().pass(Duration.ofMinutes(1));
    assertThat(answer.toCompletableFuture().join().toString()).contains("not this");
    run.signal("go", "now");
    assertThat(run.result()).isEmpty();
  }
}
