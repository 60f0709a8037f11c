package dev.tenure.testkit;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.client.WorkflowClient;
import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.loop.Driven;
import dev.tenure.sharding.loop.Loop;
import dev.tenure.sharding.loop.LoopNode;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Kernel;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * One node and a client in one thread, which is the test's: a call that waits for something makes
 * it happen, and makes the clock jump to what is due next when nothing else is left.
 */
final class InMemoryEngine extends AbstractEngine {
  private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");
  private static final Duration CODE_LIMIT = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long SEED = 42;

  private final Loop loop = new Loop(BEGIN, PATIENCE);
  private final MemoryStorage memory = MemoryStorage.create(loop);
  private final CrashingStorage storage = new CrashingStorage(memory, this::crash);
  private final Around around = new Around();
  private final SplittableRandom random = new SplittableRandom(SEED);
  private final WorkflowSettings settings;
  private final List<ActivityRegistration<?, ?>> activities;
  private final Clock clock;
  private final WorkflowClient client;
  private LoopNode owner;
  private int owners;
  private long ids;
  private RuntimeException defect;

  InMemoryEngine(Plan plan) {
    super(plan);
    this.settings =
        WorkflowSettings.of(loop, random::nextLong, this::newId)
            .withCodeLimit(CODE_LIMIT)
            .withCodec(codec)
            .withInterceptors(plan.interceptors);
    this.activities = plan.activities(fakes);
    LoopNode gateway = node("client");
    this.client = new WorkflowClient(gateway.workflows(), plan.codec());
    this.clock = new Clock(loop, storage, settings.restLimit(), () -> owner);
    loop.whileWaiting(() -> owner.looksForHangingCode());
    begin();
  }

  private String newId() {
    return "id-" + ++ids;
  }

  private LoopNode node(String name) {
    LoopNode.Program program = new LoopNode.Program(plan.workflows, activities, Kernel.standard());
    return new LoopNode(name, loop, around, storage, 1, settings, program, fakes.over(loop));
  }

  /** A new owner takes over, as after a crash. */
  private void begin() {
    owner = node("owner-" + ++owners);
    Leases.Claim claim =
        memory
            .leases()
            .acquire(0, new Holder(owner.name(), owners), gone -> true, Leases.MAX_TIME_TO_LIVE);
    if (claim instanceof Leases.Claim.Granted granted)
      owner.holds(new Fence(0, granted.epoch(), owners), false);
    else throw new IllegalStateException("the lease is not granted: " + claim);
  }

  private void crash() {
    owner.crash();
    begin();
  }

  private final class Around implements LoopNode.Around {
    @Override
    public void carry(String what, Runnable arrival) {
      loop.soon(what, arrival);
    }

    @Override
    public Optional<LoopNode> holderOf(int shard) {
      return Optional.of(owner);
    }

    @Override
    public void defect(WorkflowId id, RuntimeException failure) {
      defect = failure;
    }

    @Override
    public <T> CompletableFuture<T> future() {
      return new Driven<>(
          reached -> {
            clock.driveUntil(reached);
            throwDefect();
          });
    }
  }

  private void throwDefect() {
    RuntimeException thrown = defect;
    defect = null;
    if (thrown != null) throw new IllegalStateException("An owner failed unforeseen", thrown);
  }

  @Override
  public WorkflowClient workflows() {
    return client;
  }

  @Override
  public Instant now() {
    return loop.instant();
  }

  @Override
  public void pass(Duration span) {
    clock.pass(span);
    throwDefect();
  }

  @Override
  public void soon(Runnable task) {
    loop.soon("what the test asks for", task);
  }

  @Override
  CrashingStorage storage() {
    return storage;
  }

  @Override
  public Engine kind() {
    return Engine.IN_MEMORY;
  }

  @Override
  public void close() {
    owner.crash();
  }
}
