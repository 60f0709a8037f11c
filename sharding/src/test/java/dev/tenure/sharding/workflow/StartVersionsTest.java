package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.membership.DeployedCode;
import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.code.WorkflowTypes;
import dev.tenure.sharding.deployment.ClusterCode;
import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.loop.Loop;
import dev.tenure.sharding.loop.LoopNode;
import dev.tenure.sharding.message.Description;
import dev.tenure.workflow.ChildCall;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.kernel.Kernel;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** An owner on a loop decides of which version a run is, from what it is told of the cluster. */
class StartVersionsTest {
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  @Workflow(name = "shop")
  public static class One {
    public int run(WorkflowContext ctx, Integer rounds) {
      if (rounds == 0) return 1;
      return ctx.<Integer>continueAsNew(rounds - 1);
    }
  }

  @Workflow(name = "shop", version = 2)
  public static class Two {
    public int run(WorkflowContext ctx, Integer rounds) {
      if (rounds == 0) return 2;
      return ctx.<Integer>continueAsNew(rounds - 1);
    }
  }

  @Workflow(name = "shop", version = 3)
  public static class Broken {
    public int run(WorkflowContext ctx, Integer rounds) {
      throw new IllegalStateException("not yet");
    }
  }

  @Workflow(name = "mall")
  public static class Parent {
    public int run(WorkflowContext ctx) {
      return ctx.child(ChildCall.to("shop", Integer.class).id("child").input(0));
    }
  }

  private static final WorkflowRegistration<?> ONE = WorkflowRegistration.of(One.class, One::new);
  private static final WorkflowRegistration<?> TWO = WorkflowRegistration.of(Two.class, Two::new);
  private static final WorkflowRegistration<?> BROKEN =
      WorkflowRegistration.of(Broken.class, Broken::new);
  private static final WorkflowRegistration<?> MALL =
      WorkflowRegistration.of(Parent.class, Parent::new);

  private final Loop loop = new Loop(BEGIN, Duration.ofSeconds(30));
  private final MemoryStorage storage = MemoryStorage.create(loop);
  private final SplittableRandom random = new SplittableRandom(7);
  private final TreeMap<String, DeployedCode> others = new TreeMap<>();
  private LoopNode owner;
  private int nodes;

  /** A node that only hands requests on: it has everything, and owns nothing. */
  private final LoopNode gateway = node(List.of(ONE, TWO, MALL));

  private LoopNode node(List<WorkflowRegistration<?>> types) {
    return new LoopNode(
        "node-" + ++nodes,
        loop,
        new LoopNode.Around() {
          @Override
          public void carry(String what, Runnable arrival) {
            loop.soon(what, arrival);
          }

          @Override
          public Optional<LoopNode> holderOf(int shard) {
            return Optional.of(owner);
          }

          @Override
          public ClusterCode code(LoopNode node) {
            TreeMap<String, DeployedCode> all = new TreeMap<>(node.ownCode().nodes());
            all.putAll(others);
            return new ClusterCode(node.name(), all);
          }

          @Override
          public void defect(WorkflowId id, RuntimeException defect) {
            throw defect;
          }
        },
        storage,
        1,
        WorkflowSettings.of(loop, random::nextLong, () -> "id" + random.nextLong()),
        new LoopNode.Program(types, List.of(), Kernel.standard()),
        loop);
  }

  private void owns(WorkflowRegistration<?>... types) {
    owner = node(List.of(types));
    if (storage
            .leases()
            .acquire(0, new Holder(owner.name(), nodes), holder -> true, Duration.ofDays(1))
        instanceof Leases.Claim.Granted granted)
      owner.holds(new Fence(0, granted.epoch(), nodes), false);
    quiet();
  }

  private void quiet() {
    while (loop.doNext(Loop.Choice.OLDEST).isPresent()) {}
  }

  private static DeployedCode code(WorkflowRegistration<?>... types) {
    return new DeployedCode(new WorkflowTypes(List.of(types)).deployed(), new TreeSet<>());
  }

  private WorkflowRow row(String id) {
    return storage.workflows().find(WorkflowId.of(id)).orElseThrow();
  }

  private WorkflowRow start(StartRequest request) {
    gateway.workflows().start(request);
    quiet();
    return row(request.id().value());
  }

  private static StartRequest shop(String id, int rounds) {
    return StartRequest.of(id, "shop", TestNode.json(rounds));
  }

  private Description describe(String id) {
    CompletionStage<Description> asked = gateway.workflows().describe(WorkflowId.of(id));
    quiet();
    return asked.toCompletableFuture().join();
  }

  @Test
  void theOwnerDecidesAndNotTheNodeThatReceivedTheStart() {
    owns(ONE, MALL);

    assertThat(start(shop("s", 0)).type().version()).isEqualTo(1);
    start(StartRequest.of("m", "mall", TestNode.json(null)));
    assertThat(row("child").type().version()).isEqualTo(1);
    assertThat(row("child").status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void aNodeWithOlderCodeHoldsTheNewVersionUp() {
    owns(ONE, TWO);
    others.put("older", code(ONE));
    assertThat(start(shop("before", 3)).type().version()).isEqualTo(1);

    others.remove("older");
    assertThat(start(shop("after", 3)).type().version()).isEqualTo(2);
    others.put("of other types only", code(MALL));
    assertThat(start(shop("still", 0)).type().version()).isEqualTo(2);
  }

  @Test
  void aRunNeverContinuesAsAnOlderOne() {
    owns(ONE, TWO);
    others.put("older", code(ONE));

    assertThat(start(shop("named", 3).version(2)).type().version()).isEqualTo(2);
  }

  @Test
  void anOwnerWithoutTheTypeWaitsForTheVersionThatTheOthersHave() {
    owns(MALL);
    others.put("other", code(TWO));

    assertThat(start(shop("s", 0)).status()).isEqualTo(Status.BLOCKED);
    assertThat(row("s").type().version()).isEqualTo(2);
    assertThat(describe("s").blockReason().orElseThrow())
        .startsWith("no-worker")
        .contains("shop v2 is on other", "Its owner is " + owner.name());

    owner.crash();
    owns(ONE, TWO);
    owner.scan();
    quiet();
    assertThat(row("s").status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void aStartOfATypeThatNobodyHasIsDecidedWhenItsCodeComes() {
    owns(MALL);
    assertThat(start(shop("s", 0)).status()).isEqualTo(Status.BLOCKED);
    assertThat(row("s").type().isDecided()).isFalse();
    assertThat(describe("s").blockReason().orElseThrow()).contains("No node has shop");

    // Another owner without the code changes nothing.
    owner.crash();
    owns(MALL);
    owner.scan();
    quiet();
    assertThat(row("s").status()).isEqualTo(Status.BLOCKED);

    owner.crash();
    owns(TWO, MALL);
    owner.scan();
    quiet();
    assertThat(row("s").type().version()).isEqualTo(2);
    assertThat(row("s").status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void aRunWhoseFirstCodeFailsIsOfTheVersionThatMendsIt() {
    owns(MALL);
    start(shop("s", 0));
    owner.crash();
    owns(BROKEN);
    owner.scan();
    quiet();
    assertThat(row("s").status()).isEqualTo(Status.INCIDENT);
    assertThat(row("s").type().isDecided()).isFalse();

    owner.crash();
    owns(ONE);
    CompletionStage<Boolean> resolved =
        gateway.workflows().resolveIncident(WorkflowId.of("s"), "with the old version");
    quiet();
    assertThat(resolved.toCompletableFuture().join()).isTrue();
    assertThat(row("s").type().version()).isEqualTo(1);
    assertThat(row("s").status()).isEqualTo(Status.COMPLETED);
  }
}
