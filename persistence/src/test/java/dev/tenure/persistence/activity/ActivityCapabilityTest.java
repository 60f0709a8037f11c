package dev.tenure.persistence.activity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.commit.Writers;
import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.storage.SettableClock;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A storage that compares nothing would let two claims through: it is not asked to. */
class ActivityCapabilityTest {
  private static final Fence FENCE = new Fence(1, 1, 1);
  private static final ActivityKey KEY =
      new ActivityKey(new WorkflowId("w"), "r/charge#1", "charge", "order-17");

  private final MemoryStorage storage = MemoryStorage.withoutConditionalBatch(new SettableClock());

  private static Commit commit(SideRow... rows) {
    return new Commit(
        new CommitId("w", 1, Writers.named("writer")), FENCE, "", new byte[0], List.of(rows));
  }

  @Test
  void aClaimIsRefusedBeforeAnythingIsStored() {
    SideRow claim =
        new SideRow.ActivityClaimed(
            KEY, 1, true, 1, 1, InvocationKey.of("w", "n", "t", new byte[0]), Instant.EPOCH);
    assertThatThrownBy(() -> storage.commit(List.of(commit(claim))))
        .isInstanceOf(ActivityCapabilityError.class)
        .hasMessageContaining("conditionalBatch")
        .hasMessageContaining(MemoryStorage.class.getName());
    assertThat(storage.newestVersions(List.of("w"))).containsExactly(0L);
    assertThat(storage.activities().find(List.of(KEY))).containsExactly(Optional.empty());
  }

  @Test
  void anEffectIsRefused() {
    ActivityEffect effect = new ActivityEffect(KEY, 1, Optional.of(Payload.NONE), Optional.empty());
    assertThatThrownBy(() -> storage.activities().complete(List.of(effect)))
        .isInstanceOf(ActivityCapabilityError.class);
  }

  @Test
  void whatHasNoKeyIsStored() {
    assertThat(storage.commit(List.of(commit()))).containsExactly(new CommitResult.Committed(1));
  }
}
