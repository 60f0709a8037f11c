package dev.tenure.sharding.wake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.commit.Writers;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.lease.Membership;
import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.visibility.Attributes;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;

/** Rows of workflows in a store whose clock can be set. */
abstract class WakeRows {
  static final Holder NORA = new Holder("nora:7355", 1);
  static final WorkflowType HERE = new WorkflowType("here", 1);
  static final WorkflowType ELSEWHERE = new WorkflowType("elsewhere", 1);
  static final Instant PAST = Instant.parse("2026-03-01T09:00:00Z");

  /** By how much the clock of the store was set. */
  volatile Duration set = Duration.ZERO;

  final MemoryStorage storage =
      MemoryStorage.create(() -> InstantSource.system().instant().plus(set));

  @AfterEach
  void close() {
    storage.close();
  }

  WorkflowId workflow(
      String name, int shard, WorkflowType type, Status status, Optional<Instant> wakeAt) {
    Leases.Claim claim =
        storage.leases().acquire(shard, NORA, Membership.UNKNOWN, Duration.ofHours(1));
    Fence fence = new Fence(shard, ((Leases.Claim.Granted) claim).epoch(), NORA.incarnation());
    WorkflowId id = WorkflowId.of(name);
    WorkflowRow row =
        new WorkflowRow(
            id,
            shard,
            "run",
            type,
            status,
            wakeAt,
            PAST,
            Optional.empty(),
            Optional.empty(),
            Attributes.NONE);
    Commit commit =
        new Commit(
            new CommitId(name, 1, Writers.named("w")),
            fence,
            "",
            new byte[1],
            List.of(new SideRow.WorkflowStarted(row)));
    assertThat(storage.commit(List.of(commit))).containsExactly(new CommitResult.Committed(1));
    return id;
  }

  List<WorkflowId> blocked(String prefix, int count, int shard, WorkflowType type) {
    List<WorkflowId> ids = new ArrayList<>();
    for (int i = 0; i < count; i++)
      ids.add(workflow(prefix + i, shard, type, Status.BLOCKED, Optional.empty()));
    return ids;
  }

  List<WorkflowId> due(String prefix, int count, int shard) {
    List<WorkflowId> ids = new ArrayList<>();
    for (int i = 0; i < count; i++)
      ids.add(
          workflow(prefix + i, shard, HERE, Status.RUNNING, Optional.of(PAST.plusMillis(i / 10))));
    return ids;
  }

  WakeScans scans(WakeScanner.Node node) {
    return new WakeScans(storage, node, storage.time(), Duration.ofSeconds(1));
  }
}
