package dev.tenure.sharding.workflow;

import static dev.tenure.sharding.program.ListInterpreter.list;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.payload.MissingPayloadError;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.sharding.program.ListInterpreter;
import dev.tenure.sharding.program.ProgramFault;
import dev.tenure.sharding.unreadable.Unreadable;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Accounting;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What counts as a fault of a stored program, and what as one of the store. */
class ProgramsAtFaultTest {
  /** The JSON of this text is kept beside the journal. */
  private static final String LARGE = "x".repeat(2 * Payloads.APART_BYTES);

  private static final String SIZE = String.valueOf(LARGE.length() + 2);

  private enum LargeValues {
    THERE,
    AWAY,
    LOST
  }

  private static final class Values extends ForwardingStorage {
    private LargeValues are = LargeValues.THERE;
    private int unread;

    Values(Storage inner) {
      super(inner);
    }

    @Override
    public Payloads payloads() {
      Payloads real = super.payloads();
      return (id, hash) -> {
        if (are != LargeValues.THERE) unread++;
        return switch (are) {
          case THERE -> real.load(id, hash);
          case AWAY -> throw new StorageException.Unavailable("away on purpose", null);
          case LOST -> MissingPayloadError.checked(id, hash, null);
        };
      };
    }
  }

  private Values values;
  private final TestLoopNode node = new TestLoopNode(inner -> values = new Values(inner));

  private void begin(String... lines) {
    node.storage.definitions().keep(list("sizes", 1, lines));
    node.workflows()
        .start(
            StartRequest.of("w", "sizes", Payload.NONE)
                .program(ListInterpreter.KIND, Accounting.CODE));
    node.quiet();
  }

  /** It has got a large value, and another node takes it up. */
  private void gotALargeValue() {
    begin("signal paid", "size of it", "timer PT1H");
    node.signal("w", "paid", LARGE);
    node.dies();
  }

  private String result() {
    node.pass(Duration.ofMinutes(1));
    return TestLoopNode.text(node.ended("w"));
  }

  private Incident incident() {
    var asked = node.workflows().describe(WorkflowId.of("w")).toCompletableFuture();
    node.quiet();
    return asked.join().incident().orElseThrow();
  }

  @Test
  void aLargeValueThatCannotBeReadForAWhileIsNone() {
    gotALargeValue();
    values.are = LargeValues.AWAY;
    node.pass(Duration.ofHours(2));
    assertThat(values.unread).isPositive();
    assertThat(node.storage.workflows().find(WorkflowId.of("w")).orElseThrow().status())
        .isEqualTo(Status.WAITING);
    values.are = LargeValues.THERE;

    assertThat(result()).isEqualTo(SIZE);
    assertThat(node.events("w")).noneMatch(Event.IncidentRaised.class::isInstance);
  }

  @Test
  void aLargeValueThatIsLostIsOneOfTheStore() {
    gotALargeValue();
    values.are = LargeValues.LOST;
    node.pass(Duration.ofHours(2));
    assertThat(incident().kind()).isEqualTo(Unreadable.KIND);
    values.are = LargeValues.THERE;
    node.workflows().resolveIncident(WorkflowId.of("w"), "restored");

    assertThat(result()).isEqualTo(SIZE);
  }

  @Test
  void aQueryWaitsForALargeValue() {
    begin("signal paid", "signal go");
    node.signal("w", "paid", LARGE);
    node.dies();
    values.are = LargeValues.AWAY;
    CompletableFuture<Payload> asked =
        node.workflows().query(WorkflowId.of("w"), "size", Payload.NONE).toCompletableFuture();
    node.quiet();
    assertThat(values.unread).isPositive();
    assertThat(asked).isNotDone();
    values.are = LargeValues.THERE;
    node.pass(Duration.ofSeconds(10));

    assertThat(asked).isCompleted();
    assertThat(TestNode.text(asked.join())).isEqualTo(SIZE);
  }

  @Test
  void aProgramThatCannotBeMadeIsOne() {
    begin("unmade it is not written yet");
    assertThat(incident().kind()).isEqualTo(ProgramFault.BUG);
    assertThat(incident().message()).contains("it is not written yet");
  }

  /** A replay answers queries while the incident holds the workflow, and has to make it, too. */
  @Test
  void aQueryToOneThatCannotBeMadeIsAnsweredSo() {
    begin("unmade it is not written yet");
    for (int i = 0; i < 2; i++) {
      CompletableFuture<Payload> asked =
          node.workflows().query(WorkflowId.of("w"), "line", Payload.NONE).toCompletableFuture();
      node.quiet();
      assertThat(asked)
          .isCompletedExceptionally()
          .failsWithin(Duration.ZERO)
          .withThrowableThat()
          .withCauseInstanceOf(WorkflowError.NotNow.class)
          .withMessageContaining("it is not written yet");
    }
    assertThat(incident().kind()).isEqualTo(ProgramFault.BUG);
  }
}
