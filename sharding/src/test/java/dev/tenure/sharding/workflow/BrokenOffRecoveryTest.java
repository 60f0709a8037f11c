package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.sharding.loop.Loop;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A recovery is given up and begun again, as often as it takes, until one comes to its end. */
class BrokenOffRecoveryTest {
  private final TestLoopNode node = new TestLoopNode(LargeValuesAway::new);
  private final AtomicInteger runs = new AtomicInteger();

  /** So many reads of a large value fail. */
  private final AtomicInteger failing = new AtomicInteger();

  private final class LargeValuesAway extends ForwardingStorage {
    LargeValuesAway(Storage inner) {
      super(inner);
    }

    @Override
    public Payloads payloads() {
      return (id, hash) -> {
        if (failing.getAndUpdate(n -> Math.max(0, n - 1)) > 0)
          throw new StorageException.Unavailable("large values are away", null);
        return inner.payloads().load(id, hash);
      };
    }
  }

  /** Has a large value on record, and a step in flight that has not begun when the node dies. */
  private void diesWithAStepInFlight() {
    Coded.put(
        "w",
        ctx -> {
          String large = ctx.step("large", () -> "a".repeat(100_000));
          return large.length() + ctx.step("slow", runs::incrementAndGet);
        });
    node.workflows().start(StartRequest.of("w", "coded", Payload.NONE));
    boolean scheduled = false;
    while (!scheduled && node.loop.doNext(Loop.Choice.OLDEST).isPresent())
      scheduled = Journal.whole(node.storage, "w").stream().anyMatch(this::isSlow);
    assertThat(scheduled).isTrue();
    assertThat(runs).hasValue(0);
    node.dies();
  }

  private boolean isSlow(Event event) {
    return event instanceof Event.Scheduled scheduled
        && scheduled.operation().value().startsWith("slow");
  }

  @Test
  void whatWasInFlightIsHandedOutOnceHoweverOftenTheReplayFails() {
    diesWithAStepInFlight();
    failing.set(20);
    node.workflows().describe(WorkflowId.of("w"));
    node.pass(Duration.ofMinutes(30));
    assertThat(failing).hasValue(0);
    assertThat(node.events("w").stream().filter(Event.Redelivered.class::isInstance)).hasSize(1);
    assertThat(runs).hasValue(1);
    assertThat(node.result("w")).isEqualTo("100001");
  }
}
