package dev.tenure.persistence.merging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.InvalidCommitError;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.commit.Writers;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.lease.Membership;
import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.storage.FaultyStorage;
import dev.tenure.persistence.storage.FaultyStorage.Fault;
import dev.tenure.persistence.storage.FaultyStorage.Operation;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the pipeline makes of a storage that fails, is slow, or refuses. */
class CommitPipelineTest {
  private static final Holder NORA = new Holder("nora:7355", 1);
  private static final PipelineSettings ONE_LANE =
      new PipelineSettings(1, 400, 1_000_000, 1_000, Duration.ofMillis(300), 0);

  private final MemoryStorage memory = MemoryStorage.create(InstantSource.system());
  private final FaultyStorage storage = new FaultyStorage(memory);
  private CommitPipeline pipeline = new CommitPipeline(storage, ONE_LANE);

  @AfterEach
  void close() {
    storage.heal();
    pipeline.close();
  }

  @Test
  void whatWaitsDuringOneTransactionIsTheNext() throws Exception {
    Fence fence = claim(1);
    var gate = storage.hold(Operation.COMMIT);
    CompletionStage<CommitResult> first = pipeline.submit(commit("first", 1, fence));
    gate.awaitArrival();
    List<CompletionStage<CommitResult>> rest = new ArrayList<>();
    for (int i = 0; i < 100; i++) rest.add(pipeline.submit(commit("w" + i, 1, fence)));
    gate.open();
    assertThat(await(first)).isEqualTo(new CommitResult.Committed(1));
    for (var one : rest) assertThat(await(one)).isEqualTo(new CommitResult.Committed(1));
    assertThat(pipeline.transactions()).isEqualTo(2);
    assertThat(pipeline.commits()).isEqualTo(101);
  }

  @Test
  void aWorkflowsNextCommitWaitsForTheOneBefore() throws Exception {
    Fence fence = claim(1);
    var gate = storage.hold(Operation.COMMIT);
    List<CompletionStage<CommitResult>> all = new ArrayList<>();
    for (int version = 1; version <= 5; version++)
      all.add(pipeline.submit(commit("w", version, fence)));
    gate.open();
    for (int version = 1; version <= 5; version++) {
      assertThat(await(all.get(version - 1))).isEqualTo(new CommitResult.Committed(version));
    }
  }

  @Test
  void anOutcomeThatWasLostIsResolvedByIdentityAndNothingIsDoubled() throws Exception {
    Fence fence = claim(1);
    storage.fail(Operation.COMMIT, Fault.UNKNOWN_BUT_DONE, Fault.UNKNOWN_BUT_DONE);
    assertThat(await(pipeline.submit(starting("w", fence))))
        .isEqualTo(new CommitResult.Committed(1));
    assertThat(storage.calls(Operation.COMMIT)).isEqualTo(3);
    assertThat(memory.workflows().find(WorkflowId.of("w"))).isPresent();
  }

  @Test
  void aCommitThatDidNotGetThroughIsMadeAgain() throws Exception {
    Fence fence = claim(1);
    storage.fail(Operation.COMMIT, Fault.UNKNOWN_AND_LOST, Fault.UNAVAILABLE);
    assertThat(await(pipeline.submit(starting("w", fence))))
        .isEqualTo(new CommitResult.Committed(1));
    assertThat(memory.workflows().find(WorkflowId.of("w"))).isPresent();
  }

  @Test
  void anOwnerThatWasReplacedWhileTheOutcomeWasUnknownIsToldTheTruth() throws Exception {
    Fence stored = claim(1);
    Fence lost = claim(2);
    // Done before the takeover, unheard of until after it: it is committed, not fenced.
    storage.fail(Operation.COMMIT, Fault.UNKNOWN_BUT_DONE);
    var answer = storage.holdAnswers(Operation.COMMIT);
    CompletionStage<CommitResult> done = pipeline.submit(commit("done", 1, stored));
    answer.awaitArrival();
    claim(1);
    answer.open();
    assertThat(await(done)).isEqualTo(new CommitResult.Committed(1));
    // Lost before the takeover: it is fenced now, and can never come back.
    storage.fail(Operation.COMMIT, Fault.UNKNOWN_AND_LOST);
    var gate = storage.hold(Operation.COMMIT);
    CompletionStage<CommitResult> gone = pipeline.submit(commit("gone", 1, lost));
    gate.awaitArrival();
    Fence current = claim(2);
    gate.open();
    assertThat(await(gone)).isEqualTo(new CommitResult.Fenced(lost.epoch(), current.epoch()));
  }

  @Test
  void anOutcomeThatStaysUnknownIsReportedAsUnknown() throws Exception {
    Fence fence = claim(1);
    storage.failAlways(Operation.COMMIT, Fault.UNKNOWN_AND_LOST);
    Commit commit = commit("w", 1, fence);
    assertThat(await(pipeline.submit(commit)))
        .isInstanceOfSatisfying(
            CommitResult.Unknown.class, unknown -> assertThat(unknown.id()).isEqualTo(commit.id()));
    storage.heal();
    assertThat(await(pipeline.submit(commit("w", 1, fence))))
        .isEqualTo(new CommitResult.Committed(1));
  }

  @Test
  void oneCommitThatTheStoreRefusesLeavesThe399OthersAlone() throws Exception {
    Fence fence = claim(1);
    storage.refuse(commit -> commit.id().persistenceId().equals("w123"));
    var gate = storage.hold(Operation.COMMIT);
    CompletionStage<CommitResult> opener = pipeline.submit(commit("opener", 1, fence));
    gate.awaitArrival();
    List<CompletionStage<CommitResult>> all = new ArrayList<>();
    for (int i = 0; i < 400; i++) all.add(pipeline.submit(commit("w" + i, 1, fence)));
    gate.open();
    await(opener);
    for (int i = 0; i < 400; i++) {
      CompletionStage<CommitResult> one = all.get(i);
      if (i == 123) {
        assertThatThrownBy(() -> await(one))
            .hasRootCauseInstanceOf(InvalidCommitError.class)
            .hasMessageContaining("w123");
      } else {
        assertThat(await(one)).isEqualTo(new CommitResult.Committed(1));
      }
    }
  }

  @Test
  void largeCommitsDoNotShareATransactionBeyondItsLimit() throws Exception {
    pipeline.close();
    pipeline =
        new CommitPipeline(
            storage, new PipelineSettings(1, 400, 1_000, 1_000, Duration.ofSeconds(1), 0));
    Fence fence = claim(1);
    var gate = storage.hold(Operation.COMMIT);
    List<CompletionStage<CommitResult>> all = new ArrayList<>();
    for (int i = 0; i < 6; i++) all.add(pipeline.submit(commit("w" + i, 1, fence, new byte[400])));
    gate.open();
    for (var one : all) assertThat(await(one)).isEqualTo(new CommitResult.Committed(1));
    assertThat(pipeline.transactions()).isGreaterThanOrEqualTo(3);
  }

  @Test
  void theQueueIsBoundedAndSaysSo() throws Exception {
    pipeline.close();
    pipeline =
        new CommitPipeline(
            storage, new PipelineSettings(1, 1, 1_000, 10, Duration.ofSeconds(1), 0));
    Fence fence = claim(1);
    var gate = storage.hold(Operation.COMMIT);
    List<CompletionStage<CommitResult>> all = new ArrayList<>();
    all.add(pipeline.submit(commit("opener", 1, fence)));
    gate.awaitArrival();
    for (int i = 0; i < 10; i++) all.add(pipeline.submit(commit("w" + i, 1, fence)));
    CompletionStage<CommitResult> oneTooMany = pipeline.submit(commit("w10", 1, fence));
    assertThatThrownBy(() -> await(oneTooMany))
        .hasRootCauseInstanceOf(PipelineSaturatedError.class);
    gate.open();
    for (var one : all) assertThat(await(one)).isEqualTo(new CommitResult.Committed(1));
    assertThat(memory.newestVersions(List.of("w10"))).containsExactly(0L);
  }

  @Test
  void closingFinishesWhatWasHandedInAndTakesNoMore() throws Exception {
    Fence fence = claim(1);
    var gate = storage.hold(Operation.COMMIT);
    CompletionStage<CommitResult> first = pipeline.submit(commit("first", 1, fence));
    gate.awaitArrival();
    CompletionStage<CommitResult> queued = pipeline.submit(commit("queued", 1, fence));
    CompletableFuture<Void> closed = CompletableFuture.runAsync(pipeline::close);
    gate.open();
    assertThat(await(first)).isEqualTo(new CommitResult.Committed(1));
    assertThat(await(queued)).isEqualTo(new CommitResult.Committed(1));
    closed.get(5, TimeUnit.SECONDS);
    CompletionStage<CommitResult> late = pipeline.submit(commit("late", 1, fence));
    assertThatThrownBy(() -> await(late)).hasRootCauseInstanceOf(PipelineSaturatedError.class);
  }

  private Fence claim(int shard) {
    return switch (memory.leases().acquire(shard, NORA, Membership.UNKNOWN, Duration.ofHours(1))) {
      case Leases.Claim.Granted granted -> new Fence(shard, granted.epoch(), NORA.incarnation());
      case Leases.Claim.Refused refused -> throw new AssertionError(refused);
    };
  }

  private static Commit commit(String id, long version, Fence fence) {
    return commit(id, version, fence, new byte[8]);
  }

  /** With a row that is refused when it is written twice. */
  private static Commit starting(String id, Fence fence) {
    WorkflowRow row =
        new WorkflowRow(
            WorkflowId.of(id),
            fence.shard(),
            "run",
            new WorkflowType("t", 1),
            Status.RUNNING,
            Optional.empty(),
            Instant.EPOCH,
            Optional.empty(),
            Optional.empty(),
            Attributes.NONE);
    return new Commit(
        new CommitId(id, 1, Writers.named("w")),
        fence,
        "",
        new byte[8],
        List.of(new SideRow.WorkflowStarted(row)));
  }

  private static Commit commit(String id, long version, Fence fence, byte[] payload) {
    return new Commit(new CommitId(id, version, Writers.named("w")), fence, "", payload, List.of());
  }

  private static CommitResult await(CompletionStage<CommitResult> stage) throws Exception {
    try {
      return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    } catch (java.util.concurrent.ExecutionException e) {
      throw new CompletionException(e.getCause());
    }
  }
}
