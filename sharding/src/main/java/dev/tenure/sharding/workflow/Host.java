package dev.tenure.sharding.workflow;

import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.membership.DeployedCode;
import dev.tenure.persistence.merging.SignalDesk;
import dev.tenure.persistence.merging.SignalIntake;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.sharding.activity.Activities;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.code.Pace;
import dev.tenure.sharding.code.PayloadCodec;
import dev.tenure.sharding.code.WorkflowTypes;
import dev.tenure.sharding.deployment.Deployments;
import dev.tenure.sharding.owner.RecoveryTurns;
import dev.tenure.sharding.pool.CodeThreads;
import dev.tenure.sharding.pool.TaskKind;
import dev.tenure.sharding.pool.TaskPool;
import dev.tenure.sharding.recovery.Suspects;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Kernel;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** What all workflows of a node share. */
final class Host {
  final Post post;
  final Storage storage;
  final int shards;
  final WorkflowSettings settings;
  final OwnerLimits limits;
  final Kernel kernel;
  final WorkflowTypes types;
  final StartVersions versions;
  final PayloadCodec codec;
  final InstantSource clock;
  final LongSupplier seeds;
  final Supplier<String> ids;
  final Activities activities;
  final SignalIntake signals;
  final InboxReads inboxes;
  final Residents residents;
  final Courier courier;
  final Timers timers;
  final LongSupplier nanos;
  final Executor reading;
  final Futures futures;
  final Pace pace;
  final CodeThreads threads;
  final Carriers carriers;
  final Runaways runaways = new Runaways();
  final Semaphore replays = new Semaphore(ReplayedQueries.REPLAYS_MAX);

  final RecoveryTurns recoveries;

  private final AtomicBoolean watchesActivities = new AtomicBoolean();

  /** Known by whoever claims the shards. */
  final Suspects suspects;

  /** Ids that are about to be started for the first time, as far as whoever starts them knows. */
  private final Set<String> fresh = ConcurrentHashMap.newKeySet();

  /** Forks that read a history now. */
  final Semaphore forking = new Semaphore(Forks.AT_ONCE_MAX, true);

  private final Runnable close;

  private final String writers;
  private final AtomicLong lastWriter = new AtomicLong();

  Host(
      Post post,
      Storage storage,
      int shards,
      WorkflowSettings settings,
      WorkflowTypes types,
      Fittings fittings) {
    this(post, residents(settings, fittings.nanos()), storage, shards, settings, types, fittings);
  }

  private Host(
      Post post,
      Residents residents,
      Storage storage,
      int shards,
      WorkflowSettings settings,
      WorkflowTypes types,
      Fittings fittings) {
    this.post = post;
    this.residents = residents;
    this.storage = storage;
    this.shards = shards;
    this.settings = settings;
    this.limits = settings.limits();
    this.recoveries = new RecoveryTurns(settings.journal().recoveriesMax());
    this.types = types;
    this.codec = settings.codec();
    this.clock = settings.clock();
    this.seeds = settings.seeds();
    this.ids = settings.ids();
    this.writers = ids.get();
    this.kernel = fittings.kernel();
    this.activities = fittings.activities();
    this.signals = fittings.signals();
    this.inboxes = fittings.inboxes();
    this.timers = fittings.timers();
    this.nanos = fittings.nanos();
    this.reading = fittings.reading();
    this.futures = fittings.futures();
    this.pace = fittings.pace();
    this.threads = fittings.threads();
    this.carriers = new Carriers(threads);
    this.close = fittings.close();
    this.courier = new Courier(timers);
    this.suspects = fittings.suspects();
    this.versions = new StartVersions(types, activities, fittings.code());
  }

  /** One that works with threads of its own. */
  static Host ofANode(
      Post post,
      Storage storage,
      int shards,
      WorkflowSettings settings,
      WorkflowTypes types,
      Collection<? extends ActivityRegistration<?, ?>> activities,
      Suspects suspects,
      Pace pace,
      Deployments deployments,
      Optional<TaskPool> pool) {
    ThreadTimers courier = new ThreadTimers("tenure-courier");
    ThreadTimers looks = new ThreadTimers("tenure-residents");
    SignalDesk desk = new SignalDesk(storage.signals(), settings.signals(), settings.ids());
    InboxReader inboxes = new InboxReader(storage.signals(), settings.limits().signalsPerPage());
    CodeThreads threads = pool.map(CodeThreads::on).orElse(CodeThreads.JDK);
    LocalAsks asks =
        new LocalAsks(
            pool.map(shared -> shared.executor(TaskKind.ANSWER))
                .orElseGet(() -> new CompletableFuture<>().defaultExecutor()),
            System::nanoTime);
    Runnable close =
        () -> {
          looks.close();
          asks.close();
          courier.close();
          inboxes.close();
          desk.close();
        };
    Fittings fittings =
        new Fittings(
            Kernel.standard(),
            courier,
            System::nanoTime,
            task -> Thread.ofVirtual().start(task),
            Futures.USUAL,
            pace,
            desk,
            inboxes,
            threads,
            new Activities(
                activities,
                settings.codec(),
                settings.interceptors(),
                (name, task) -> threads.builder().name(name).start(task)),
            suspects,
            deployments::cluster,
            close);
    Residents residents = residents(settings, fittings.nanos());
    Post nearby = new Nearby(post, residents, asks);
    Host host = new Host(nearby, residents, storage, shards, settings, types, fittings);
    deployments.announce(host.code());
    looks.often(Residents.LOOK_EVERY, Residents.LOOK_AT_LEAST_EVERY, host::look);
    looks.often(Residents.LOOK_EVERY, Residents.LOOK_AT_LEAST_EVERY, asks::look);
    return host;
  }

  private static Residents residents(WorkflowSettings settings, LongSupplier nanos) {
    return new Residents(settings.clock(), nanos, settings.restingMax(), settings.restLimit());
  }

  /** What this node can run. */
  DeployedCode code() {
    return new DeployedCode(types.deployed(), activities.names());
  }

  /** Looks at the workflows in memory, several times a second. */
  void look() {
    residents.look(carriers.look(System.nanoTime()));
  }

  /** For a workflow that could not be brought into memory now. */
  void wakeLater(WorkflowId id) {
    courier.later(settings.recoveryPauseMax(), () -> post.tell(id, Message.WakeUp.WAKE_UP));
  }

  /** From now on somebody looks whether it takes too long, until nothing runs any more. */
  Instant activityBegins() {
    if (watchesActivities.compareAndSet(false, true))
      courier.later(Residents.LOOK_EVERY, this::lookAtActivities);
    return clock.instant();
  }

  private void lookAtActivities() {
    watchesActivities.set(false);
    boolean more = activities.stopOverdue(clock.instant());
    if (more && watchesActivities.compareAndSet(false, true))
      courier.later(Residents.LOOK_EVERY, this::lookAtActivities);
  }

  static String persistenceId(WorkflowId id) {
    return "workflow|" + KeyText.column(id.value());
  }

  /** A hint for the actor that starts next: it need not ask the store what there is of the id. */
  void expectFresh(WorkflowId id) {
    if (post.isOurs(id) && fresh.size() < WorkflowSettings.FRESH_MAX) fresh.add(id.value());
  }

  /** Takes the hint, whoever it was for: an old one must not mislead a later actor. */
  boolean takeFresh(WorkflowId id) {
    return fresh.remove(id.value());
  }

  /**
   * A name for whoever writes from now on, which nobody had before: by it an owner whose commit's
   * outcome is unknown is told from another.
   */
  String nextWriter() {
    return writers + "-" + Long.toHexString(lastWriter.incrementAndGet());
  }

  void close() {
    close.run();
    activities.close();
    carriers.close();
  }
}
