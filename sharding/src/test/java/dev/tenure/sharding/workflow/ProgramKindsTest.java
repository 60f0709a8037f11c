package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.sharding.message.Description;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Accounting;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.ProgramKind;
import dev.tenure.workflow.kernel.Status;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Workflows whose owner's node runs no programs of their kind. */
class ProgramKindsTest {
  private static final ProgramKind UNKNOWN = new ProgramKind("dances");

  private final TestLoopNode node = new TestLoopNode();

  private void start(String id, Accounting accounting) {
    node.workflows().start(StartRequest.of(id, "waltz", Payload.NONE).program(UNKNOWN, accounting));
    node.quiet();
  }

  private <T> CompletableFuture<T> asked(CompletionStage<T> question) {
    node.quiet();
    return question.toCompletableFuture();
  }

  private Description describe(String id) {
    return asked(node.workflows().describe(WorkflowId.of(id))).join();
  }

  @Test
  void theyAreBlockedAndSayWhatIsMissing() {
    start("w", Accounting.CODE);

    Description described = describe("w");
    assertThat(described.status()).isEqualTo(Status.BLOCKED);
    assertThat(described.blockReason().orElseThrow())
        .contains("no programs of kind \"dances\"")
        .contains("waltz");
    assertThat(node.events("w"))
        .hasExactlyElementsOfTypes(Event.Started.class, Event.Blocked.class);
    assertThat(((Event.Started) node.events("w").getFirst()).start().kind()).isEqualTo(UNKNOWN);
  }

  @Test
  void theyOutliveTheirNodeAndCanBeTerminated() {
    start("w", Accounting.CODE);
    node.dies();
    assertThat(describe("w").status()).isEqualTo(Status.BLOCKED);
    asked(node.workflows().terminate(WorkflowId.of("w"), "enough")).join();

    assertThat(node.end("w").status()).isEqualTo(Status.TERMINATED);
  }

  @Test
  void aGraphDoesNotCloseAsIfItsProgramHadAskedForNothing() {
    start("g", new Accounting.OfGraph(0));

    assertThat(node.events("g"))
        .hasExactlyElementsOfTypes(Event.Started.class, Event.Blocked.class);
  }

  @Test
  void aGraphIsNotForkedAndTheCallerIsTold() {
    start("g", new Accounting.OfGraph(0));

    assertThatThrownBy(() -> asked(node.workflows().fork(ForkRequest.of("g", "a#1", "f"))).join())
        .hasCauseInstanceOf(WorkflowError.NotForkable.class)
        .hasMessageContaining("graphs are not forked");
  }
}
