package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Kernel;
import dev.tenure.workflow.kernel.KernelLimits;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the code asks for at once, where one commit holds a part of it. */
class RestOfTheWishesTest {
  private final TestLoopNode node = new TestLoopNode(OwnerLimits.DEFAULT.withWishesPerCommit(1));

  /**
   * Both timers fire in one commit, which also holds the first wish of what the code asks for then.
   * The second gives up the other timer, which needs no commit any more; the third stands behind
   * it.
   */
  @Test
  void isGrantedAlsoBehindAPartThatNeedsNoCommit() {
    node.begin(
        "w",
        ctx -> {
          Handle<Void> first = ctx.timer("first", Duration.ofSeconds(1));
          Handle<Void> other = ctx.timer("other", Duration.ofSeconds(1));
          first.get();
          Handle<Integer> beside = ctx.stepAsync("beside", () -> 3);
          other.cancel("not needed");
          return ctx.step("last", () -> 4) + beside.get();
        });

    assertThat(node.result("w")).isEqualTo("7");
  }

  /** The code would end, and the kernel has refused what it asked for before that. */
  @Test
  void isNotGrantedBehindAPartThatWasRefused() {
    KernelLimits usual = KernelLimits.DEFAULT;
    KernelLimits oneOpen =
        new KernelLimits(
            1,
            usual.pendingUpdates(),
            usual.updateAnswerBytes(),
            usual.signalNames(),
            usual.duePerCommit(),
            usual.dueBytesPerCommit(),
            usual.carriedAnswersBytes(),
            usual.carriedUpdatesBytes(),
            usual.earlierStarts(),
            usual.openBytes(),
            usual.carriedBytes());
    node.works(OwnerLimits.DEFAULT.withWishesPerCommit(1), Kernel.standard(oneOpen));
    node.begin(
        "refused",
        ctx -> {
          ctx.timer("first", Duration.ofHours(1));
          ctx.timer("other", Duration.ofHours(1));
          return 1;
        });

    WorkflowId id = WorkflowId.of("refused");
    assertThat(node.storage.workflows().find(id).orElseThrow().status()).isEqualTo(Status.INCIDENT);
  }
}
