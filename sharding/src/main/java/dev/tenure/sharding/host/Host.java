package dev.tenure.sharding.host;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.journal.JournalKey;
import dev.tenure.persistence.membership.DeployedCode;
import dev.tenure.persistence.merging.SignalDesk;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.sharding.activity.Activities;
import dev.tenure.sharding.activity.ActivityCapabilityError;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.activity.AttemptClocks;
import dev.tenure.sharding.activity.EffectKeeper;
import dev.tenure.sharding.activity.MergedLedger;
import dev.tenure.sharding.branch.ExecutionGate;
import dev.tenure.sharding.code.CodePrograms;
import dev.tenure.sharding.code.WorkflowTypes;
import dev.tenure.sharding.deployment.Deployments;
import dev.tenure.sharding.failpoint.Failpoints;
import dev.tenure.sharding.message.LocalAsks;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.message.WorkflowTransport;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.sharding.pool.CodeThreads;
import dev.tenure.sharding.pool.TaskKind;
import dev.tenure.sharding.pool.TaskPool;
import dev.tenure.sharding.program.Interpreter;
import dev.tenure.sharding.program.ProgramSource;
import dev.tenure.sharding.program.Programs;
import dev.tenure.sharding.program.StoredPrograms;
import dev.tenure.sharding.recovery.Suspects;
import dev.tenure.sharding.snapshot.SnapshotReader;
import dev.tenure.sharding.snapshot.SnapshotWriter;
import dev.tenure.sharding.task.MergedTaskReads;
import dev.tenure.sharding.task.TaskReads;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Kernel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** What all workflows of a node share. */
public final class Host {
  /** Replays for queries that are under way at once on a node. */
  public static final int REPLAYS_MAX = 4;

  /** Forks that read a history at once on a node; a history may be large. */
  public static final int FORKS_MAX = 2;

  public final WorkflowTransport transport;
  public final Storage storage;

  /** The level of formats up to which owners may write now. */
  public final IntSupplier formats;

  public final int shards;
  public final WorkflowSettings settings;
  public final OwnerLimits limits;
  public final Kernel kernel;
  private final CodePrograms code;
  public final Programs programs;
  public final StartVersions versions;
  public final CallRoutes routes;
  public final PayloadCodec codec;
  public final InstantSource clock;
  public final LongSupplier seeds;
  public final Supplier<String> ids;
  public final Activities activities;
  public final EffectKeeper effects;
  public final TaskQueues queues;
  public final TaskReads tasks;
  public final Failpoints failpoints;
  public final IncomingSignals signals;
  public final InboxReads inboxes;
  public final Residents residents;
  public final RetryingSender sender;
  public final Timers timers;
  public final LongSupplier nanos;
  final Executor reading;
  public final Futures futures;
  public final Carriers carriers;
  public final RunawayThreads runaways = new RunawayThreads();

  /** How often a recovered run went on although the outside world did not agree with it. */
  public final LongAdder resourceWarnings = new LongAdder();

  public final Semaphore replays = new Semaphore(REPLAYS_MAX);

  public final RecoveryPermits recoveries;

  /** How many workflows scans may wake before they have begun. */
  public final StartBudget starts;

  public final SnapshotReader snapshotReader;
  public final SnapshotWriter snapshotWriter;

  private final AtomicBoolean watchesActivities = new AtomicBoolean();

  /** The workflows that may take nodes down. The node fills it when it claims shards. */
  public final Suspects suspects;

  /**
   * Ids that a caller on this node is about to start, and that are new as far as the caller knows.
   */
  private final Set<String> fresh = ConcurrentHashMap.newKeySet();

  /** Forks that read a history now. */
  public final Semaphore forking = new Semaphore(FORKS_MAX, true);

  private final Runnable close;

  /** Of no other process: the writers of this one count up from it. */
  private final UUID writers;

  private final AtomicLong lastWriter = new AtomicLong();

  public Host(
      WorkflowTransport transport,
      Storage storage,
      int shards,
      WorkflowSettings settings,
      WorkflowTypes types,
      HostDependencies dependencies) {
    this(
        transport,
        residents(settings, dependencies.nanos()),
        storage,
        shards,
        settings,
        types,
        dependencies);
  }

  private Host(
      WorkflowTransport transport,
      Residents residents,
      Storage storage,
      int shards,
      WorkflowSettings settings,
      WorkflowTypes types,
      HostDependencies dependencies) {
    this.transport = transport;
    this.residents = residents;
    this.storage = storage;
    this.formats = storage::writableLevel;
    this.shards = shards;
    this.settings = settings;
    this.limits = settings.limits();
    this.recoveries =
        RecoveryPermits.with(settings.journal().recoveriesMax(), Runtime.getRuntime().maxMemory());
    this.starts =
        new StartBudget(
            StartBudget.STARTS_MAX,
            StartBudget.atWorkMax(Runtime.getRuntime().maxMemory()),
            residents::isHere,
            residents::atWork,
            dependencies.nanos());
    this.codec = settings.codec();
    this.clock = settings.clock();
    this.seeds = settings.seeds();
    this.ids = settings.ids();
    this.writers = UUID.nameUUIDFromBytes(ids.get().getBytes(StandardCharsets.UTF_8));
    this.kernel = dependencies.kernel();
    this.activities = dependencies.activities();
    this.effects = dependencies.effects();
    this.queues = dependencies.queues();
    this.tasks = dependencies.tasks();
    this.failpoints = settings.failpoints();
    this.inboxes = dependencies.inboxes();
    this.timers = dependencies.timers();
    this.nanos = dependencies.nanos();
    this.reading = dependencies.reading();
    this.snapshotReader = new SnapshotReader(storage);
    this.snapshotWriter = new SnapshotWriter(storage.snapshots(), reading);
    this.futures = dependencies.futures();
    this.signals =
        new IncomingSignals(
            residents,
            transport,
            dependencies.signals(),
            storage.capabilities().conditionalBatch(),
            settings.signals(),
            ids,
            futures,
            dependencies.answers(),
            dependencies.nanos());
    this.carriers = new Carriers(dependencies.threads());
    this.close = dependencies.close();
    this.sender = new RetryingSender(timers);
    this.suspects = dependencies.suspects();
    this.code =
        new CodePrograms(
            types,
            codec,
            clock,
            dependencies.gate(),
            settings.interceptors(),
            dependencies.threads(),
            dependencies.code(),
            carriers::abandon);
    List<ProgramSource> kinds = new ArrayList<>(List.of(code));
    for (Interpreter one : settings.interpreters())
      kinds.add(new StoredPrograms(one, storage.definitions(), settings.storedProgramsMax()));
    this.programs = new Programs(kinds);
    this.versions = new StartVersions(programs, activities, dependencies.code());
    this.routes = new CallRoutes(activities, dependencies.code());
  }

  /**
   * The host of a node, with threads of its own.
   *
   * @param clocks what the times of attempts go by
   */
  public static Host ofANode(
      WorkflowTransport everywhere,
      Storage storage,
      int shards,
      WorkflowSettings settings,
      WorkflowTypes types,
      Collection<? extends ActivityRegistration<?, ?>> activities,
      Suspects suspects,
      Predicate<Fence> holds,
      ExecutionGate gate,
      Deployments deployments,
      TaskQueues queues,
      AttemptClocks clocks,
      Optional<TaskPool> pool) {
    ThreadTimers timers = new ThreadTimers("tenure-timers");
    ThreadTimers checks = new ThreadTimers("tenure-residents");
    SignalDesk desk = new SignalDesk(storage.signals(), settings.signals(), settings.ids());
    InboxReader inboxes = new InboxReader(storage.signals(), settings.limits().signalsPerPage());
    CodeThreads threads = pool.map(CodeThreads::on).orElse(CodeThreads.JDK);
    Executor answers =
        pool.map(shared -> shared.executor(TaskKind.ANSWER))
            .orElseGet(() -> new CompletableFuture<>().defaultExecutor());
    LocalAsks asks = new LocalAsks(answers, System::nanoTime);
    requireClaims(storage, activities);
    MergedLedger ledger = new MergedLedger(storage.activities());
    MergedTaskReads tasks = new MergedTaskReads(storage.tasks());
    Executor blocking = task -> Thread.ofVirtual().start(task);
    EffectKeeper effects = new EffectKeeper(ledger, blocking, timers::after, settings.failpoints());
    Runnable close =
        () -> {
          checks.close();
          asks.close();
          timers.close();
          inboxes.close();
          desk.close();
          ledger.close();
          tasks.close();
        };
    HostDependencies dependencies =
        new HostDependencies(
            Kernel.standard(),
            timers,
            System::nanoTime,
            blocking,
            Futures.USUAL,
            gate,
            desk,
            answers,
            inboxes,
            threads,
            new Activities(
                activities,
                settings.codec(),
                settings.interceptors(),
                (name, task) -> threads.builder().name(name).start(task),
                clocks,
                ledger,
                effects,
                holds,
                activity -> deployments.cluster().hasActivity(activity),
                settings.failpoints()),
            effects,
            queues,
            tasks,
            suspects,
            deployments::cluster,
            close);
    Residents residents = residents(settings, dependencies.nanos());
    WorkflowTransport localFirst = new LocalFirstTransport(everywhere, residents, asks);
    Host host = new Host(localFirst, residents, storage, shards, settings, types, dependencies);
    deployments.announce(host.code());
    Duration every = Residents.LOOK_EVERY;
    Duration atLeastEvery = Residents.LOOK_AT_LEAST_EVERY;
    checks.often("The check of the workflows in memory", every, atLeastEvery, host::look);
    checks.often("The check of the requests on this node", every, atLeastEvery, asks::look);
    return host;
  }

  /** A keyed call is claimed, or not made at all. */
  private static void requireClaims(
      Storage storage, Collection<? extends ActivityRegistration<?, ?>> activities) {
    if (storage.capabilities().conditionalBatch()) return;
    for (ActivityRegistration<?, ?> one : activities)
      if (!(one.definition().key() instanceof ActivityDefinition.Key.None))
        throw new ActivityCapabilityError(
            one.definition().name(), storage.getClass().getSimpleName());
  }

  private static Residents residents(WorkflowSettings settings, LongSupplier nanos) {
    return new Residents(settings.clock(), nanos, settings.restingMax(), settings.restLimit());
  }

  /** What this node can run. */
  public DeployedCode code() {
    return new DeployedCode(code.types().deployed(), activities.names(), programs.kinds());
  }

  /** Checks the workflows in memory. Called several times a second. */
  public void look() {
    residents.look(carriers.look(System.nanoTime()));
    signals.look();
  }

  /** Wakes a workflow later that could not be brought into memory now. */
  public void wakeLater(WorkflowId id) {
    sender.later(settings.recoveryPauseMax(), () -> transport.tell(id, Message.WakeUp.WAKE_UP));
  }

  /** From now on the host checks whether an activity takes too long, until none runs any more. */
  public void watchActivities() {
    if (watchesActivities.compareAndSet(false, true))
      sender.later(Residents.LOOK_EVERY, this::lookAtActivities);
  }

  private void lookAtActivities() {
    watchesActivities.set(false);
    boolean more = activities.stopOverdue();
    if (more && watchesActivities.compareAndSet(false, true))
      sender.later(Residents.LOOK_EVERY, this::lookAtActivities);
  }

  /** What the journal calls a workflow. */
  public static String persistenceId(WorkflowId id) {
    return JournalKey.of(id);
  }

  /** A hint for the next owner of that id: the workflow is new, so it has no history to read. */
  public void expectFresh(WorkflowId id) {
    if (transport.isOurs(id) && fresh.size() < WorkflowSettings.FRESH_MAX) fresh.add(id.value());
  }

  /**
   * Takes the hint away, also when the owner does not use it: an old hint must not mislead a later
   * owner.
   */
  public boolean takeFresh(WorkflowId id) {
    return fresh.remove(id.value());
  }

  /**
   * Tells the next owner that writes commits from all owners before it. By it an owner recognises
   * its own commit when the outcome is unknown.
   */
  public UUID nextWriter() {
    long low = writers.getLeastSignificantBits() + lastWriter.incrementAndGet();
    return new UUID(writers.getMostSignificantBits(), low);
  }

  public void close() {
    // Before the desk that takes them, which finishes what it was given.
    signals.close();
    close.run();
    activities.close();
    carriers.close();
  }

  /** Reads from the store, on a thread that may block. */
  public <T> CompletionStage<T> reading(Supplier<T> read) {
    return futures.<T>make().completeAsync(read, reading);
  }
}
