package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.workflow.Handle;
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
}
