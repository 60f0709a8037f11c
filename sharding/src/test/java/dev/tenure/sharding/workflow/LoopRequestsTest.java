package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.loop.Loop;
import dev.tenure.sharding.loop.LoopNode;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.kernel.Kernel;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * One request at each moment of an owner's life on a loop: runs that follow one another, commits
 * that do not stand, a shard that moves between nodes, an owner that leaves.
 */
class LoopRequestsTest {
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
  private static final WorkflowId ID = WorkflowId.of("w");

  private final Loop loop = new Loop(BEGIN, Duration.ofSeconds(30));
  private final MemoryStorage memory = MemoryStorage.create(loop);
  private final SplittableRandom random = new SplittableRandom(11);
  private final List<LoopNode> nodes = new ArrayList<>();
  private int holder;
  private int refused;

  private final ForwardingStorage storage =
      new ForwardingStorage(memory) {
        @Override
        public List<CommitResult> commit(List<Commit> batch) {
          if (random.nextInt(5) > 0) return super.commit(batch);
          refused++;
          return List.of(
              new CommitResult.Unknown(
                  batch.getFirst().id(), new StorageException.OutcomeUnknown("on purpose", null)));
        }
      };

  private void node(String name) {
    nodes.add(
        new LoopNode(
            name,
            loop,
            new LoopNode.Around() {
              @Override
              public void carry(String what, Runnable arrival) {
                loop.soon(what, arrival);
              }

              @Override
              public Optional<LoopNode> holderOf(int shard) {
                return Optional.of(nodes.get(holder));
              }

              @Override
              public void defect(WorkflowId id, RuntimeException defect) {
                throw defect;
              }
            },
            storage,
            1,
            WorkflowSettings.of(loop, random::nextLong, () -> "id" + random.nextLong()),
            new LoopNode.Program(
                List.of(WorkflowRegistration.of(Coded.class, Coded::new)),
                List.of(),
                Kernel.standard()),
            loop));
  }

  private void holds(int node) {
    holder = node;
    LoopNode taker = nodes.get(node);
    if (memory
            .leases()
            .acquire(0, new Holder(taker.name(), node + 1), gone -> true, Duration.ofDays(1))
        instanceof Leases.Claim.Granted granted)
      taker.holds(new Fence(0, granted.epoch(), node + 1), false);
  }

  private void move() {
    nodes.get(holder).loses(0);
    holds(1 - holder);
  }

  private void pass(Duration span) {
    loop.passTo(loop.instant().plus(span));
    nodes.forEach(LoopNode::look);
    nodes.forEach(LoopNode::scan);
  }

  private void quiet() {
    while (loop.doNext(Loop.Choice.OLDEST).isPresent()) {}
  }

  @Test
  void eachOfThemIsAnsweredOnce() {
    node("one");
    node("two");
    holds(0);
    int[] runs = new int[1];
    Coded.put(
        ID.value(),
        ctx -> {
          runs[0]++;
          int[] done = {0};
          ctx.onUpdate("add", Integer.class, number -> ++done[0]);
          ctx.step("first", () -> 1);
          ctx.await(() -> done[0] > 0);
          ctx.sleep(Duration.ofMillis(100));
          return ctx.continueAsNew(null);
        });
    nodes.getFirst().workflows().start(StartRequest.of(ID.value(), "coded", Payload.NONE));
    quiet();
    Requests requests = new Requests(nodes.getFirst().transport(), ID.value());
    int moves = 0;
    for (int i = 0; i < 4_000; i++) {
      requests.ask();
      if (i % 7 == 0) nodes.get(i % 2).workflows().update(ID, "u" + i, "add", TestNode.json(i));
      if (i % 97 == 0) {
        move();
        moves++;
      }
      if (i % 211 == 0) {
        quiet();
        // Long enough for it to leave the memory.
        for (int span = 0; span < 40; span++) pass(Duration.ofMillis(50));
      }
      if (loop.doNext(Loop.Choice.OLDEST).isEmpty() || i % 5 == 0) pass(Duration.ofMillis(20));
    }
    for (int i = 0; i < 100; i++) {
      quiet();
      pass(Duration.ofMillis(100));
    }
    quiet();
    requests.assertAnswered();
    assertThat(refused).as("commits that did not stand").isGreaterThan(20);
    assertThat(moves).isGreaterThan(20);
    assertThat(runs[0]).as("runs").isGreaterThan(20);
  }
}
