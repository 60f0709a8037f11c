package dev.tenure.persistence.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.InvalidCommitError;
import dev.tenure.persistence.commit.Writers;
import dev.tenure.persistence.journal.DamagedJournalError;
import dev.tenure.persistence.lease.Holder;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.lease.Membership;
import dev.tenure.persistence.merging.PipelineSettings;
import dev.tenure.persistence.postgres.PostgresStorage;
import dev.tenure.persistence.storage.FaultyStorage;
import dev.tenure.persistence.storage.TestDatabase;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.Done;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.setup.ActorSystemSetup;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.persistence.JournalProtocol;
import org.apache.pekko.persistence.Persistence;
import org.apache.pekko.persistence.typed.EventSourcedSignal;
import org.apache.pekko.persistence.typed.JournalPersistFailed;
import org.apache.pekko.persistence.typed.JournalPersistRejected;
import org.apache.pekko.persistence.typed.RecoveryFailed;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a persistent actor can rely on when its journal is the fenced one. */
class FencedJournalDaoTest {
  private static final Holder NORA = new Holder("nora:7355", 1);
  private static final Holder OLAF = new Holder("olaf:7355", 2);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final AtomicInteger FRESH = new AtomicInteger();

  private static TestDatabase database;
  private static PostgresStorage storage;
  private static FaultyStorage faulty;
  private static ActorTestKit actors;

  private final BlockingQueue<EventSourcedSignal> signals = new LinkedBlockingQueue<>();

  @BeforeAll
  static void start() {
    database = TestDatabase.migrated();
    storage = database.open();
    faulty = new FaultyStorage(storage);
    var config =
        ConfigFactory.parseString(
                """
                pekko.loglevel = OFF
                pekko.actor.serializers.tally = "dev.tenure.persistence.pekko.TallySerializer"
                pekko.actor.serialization-bindings {
                  "dev.tenure.persistence.pekko.Tally$Added" = tally
                  "dev.tenure.persistence.pekko.Tally$Filled" = tally
                }
                tenure-journal.replayBatchSize = 7
                """)
            .withFallback(ConfigFactory.parseResources("tenure-persistence.conf"))
            .withFallback(ConfigFactory.load());
    actors =
        ActorTestKit.create(
            ActorSystem.create(
                Behaviors.empty(),
                "journal",
                ActorSystemSetup.create(
                    BootstrapSetup.create(config),
                    new StorageSetup(faulty, PipelineSettings.DEFAULT, InstantSource.system()))));
  }

  @AfterAll
  static void stop() {
    actors.system().terminate();
    actors.system().getWhenTerminated().toCompletableFuture().join();
    storage.close();
    database.close();
  }

  @Test
  void whatAnActorStoredIsThereWhenItStartsAgain() {
    String id = freshId();
    Fence fence = claim(NORA);
    ActorRef<Tally.Command> tally = spawn(id, fence);
    for (int number = 1; number <= 30; number++) store(tally, new Tally.Added(fence, number));
    stop(tally);
    // More events than a page of the replay has (7).
    assertThat(read(spawn(id, fence))).isEqualTo(465);
  }

  /** As owners read: a part first, and the rest of it from where a snapshot ends. */
  @Test
  void aHistoryIsReadFromAnyPlaceAndAsFarAsItIsAskedFor() {
    String id = freshId();
    Fence fence = claim(NORA);
    ActorRef<Tally.Command> tally = spawn(id, fence);
    for (int number = 1; number <= 12; number++) store(tally, new Tally.Added(fence, number));
    stop(tally);
    assertThat(versions(id, 1, 5)).containsExactly(1L, 2L, 3L, 4L, 5L);
    assertThat(versions(id, 6, 3)).containsExactly(6L, 7L, 8L);
    assertThat(versions(id, 10, Long.MAX_VALUE)).containsExactly(10L, 11L, 12L);
    assertThat(versions(id, 13, Long.MAX_VALUE)).isEmpty();
    // No owner reads like this; Pekko's protocol can ask for it.
    assertThat(versions(id, 1, 4, Long.MAX_VALUE)).containsExactly(1L, 2L, 3L, 4L);
    assertThat(versions(id, 11, 20, Long.MAX_VALUE)).containsExactly(11L, 12L);
  }

  private static List<Long> versions(String id, long from, long max) {
    return versions(id, from, Long.MAX_VALUE, max);
  }

  private static List<Long> versions(String id, long from, long to, long max) {
    TestProbe<Object> reader = actors.createTestProbe();
    var self = Adapter.toClassic(reader.getRef());
    Persistence.get(actors.system())
        .journalFor("tenure-journal", ConfigFactory.empty())
        .tell(new JournalProtocol.ReplayMessages(from, to, max, id, self), self);
    List<Long> versions = new ArrayList<>();
    while (reader.receiveMessage(PATIENCE) instanceof JournalProtocol.ReplayedMessage one)
      versions.add(one.persistent().sequenceNr());
    return versions;
  }

  @Test
  void anAnswerComesOnlyAfterTheCommit() {
    String id = freshId();
    Fence fence = claim(NORA);
    ActorRef<Tally.Command> tally = spawn(id, fence);
    TestProbe<Long> probe = actors.createTestProbe();
    var gate = faulty.hold(FaultyStorage.Operation.COMMIT);
    tally.tell(new Tally.Command.Store(List.of(new Tally.Added(fence, 5)), probe.getRef()));
    gate.awaitArrival();
    probe.expectNoMessage(Duration.ofMillis(200));
    gate.open();
    assertThat(probe.receiveMessage(PATIENCE)).isEqualTo(5);
  }

  @Test
  void anOwnerThatWasReplacedIsRejectedAndStopsForGood() throws InterruptedException {
    String id = freshId();
    Fence old = claim(NORA);
    ActorRef<Tally.Command> tally = spawn(id, old);
    store(tally, new Tally.Added(old, 1));
    Fence current = takeOver(old.shard());
    tell(tally, new Tally.Added(old, 10));
    assertThat(rejection()).isEqualTo(new CommitResult.Fenced(old.epoch(), current.epoch()));
    actors.createTestProbe().expectTerminated(tally, PATIENCE);
    assertThat(read(spawn(id, current))).isEqualTo(1);
  }

  @Test
  void ofTwoActorsUnderOneEpochTheSecondIsInConflict() throws InterruptedException {
    String id = freshId();
    Fence fence = claim(NORA);
    ActorRef<Tally.Command> one = spawn(id, fence);
    ActorRef<Tally.Command> two = spawn(id, fence);
    assertThat(read(two)).isZero();
    store(one, new Tally.Added(fence, 1));
    tell(two, new Tally.Added(fence, 10));
    assertThat(rejection()).isEqualTo(new CommitResult.Conflict(0, 1));
  }

  @Test
  void anActorWhoseOutcomeIsUnknownRecoversWhatIsReallyThere() throws InterruptedException {
    String id = freshId();
    Fence fence = claim(NORA);
    ActorRef<Tally.Command> tally = spawn(id, fence);
    store(tally, new Tally.Added(fence, 1));
    // Done, but nobody hears of it for longer than the pipeline asks.
    faulty.failAlways(FaultyStorage.Operation.COMMIT, FaultyStorage.Fault.UNKNOWN_BUT_DONE);
    tell(tally, new Tally.Added(fence, 10));
    assertThat(signals.poll(20, TimeUnit.SECONDS)).isInstanceOf(JournalPersistFailed.class);
    faulty.heal();
    assertThat(read(tally)).isEqualTo(11);
    store(tally, new Tally.Added(fence, 100));
    assertThat(read(tally)).isEqualTo(111);
  }

  @Test
  void anOutcomeThatWasLostOnTheWayIsFoundAgainUnnoticed() {
    String id = freshId();
    Fence fence = claim(NORA);
    ActorRef<Tally.Command> tally = spawn(id, fence);
    faulty.fail(
        FaultyStorage.Operation.COMMIT,
        FaultyStorage.Fault.UNKNOWN_BUT_DONE,
        FaultyStorage.Fault.UNAVAILABLE,
        FaultyStorage.Fault.UNKNOWN_AND_LOST);
    assertThat(store(tally, new Tally.Added(fence, 1))).isEqualTo(1);
    assertThat(signals).isEmpty();
    assertThat(storage.newestVersions(List.of(id))).containsExactly(1L);
  }

  @Test
  void eventsThatAreNotOneCommitAreRejected() throws InterruptedException {
    Fence fence = claim(NORA);
    Tally.Added event = new Tally.Added(fence, 1);
    String several = freshId();
    tell(spawn(several, fence), event, event);
    assertThat(rejectionCause()).isInstanceOf(InvalidCommitError.class);
    String unowned = freshId();
    tell(spawn(unowned, fence), new Tally.Unowned());
    assertThat(rejectionCause())
        .isInstanceOf(InvalidCommitError.class)
        .hasMessageContaining("not Fenced");
    assertThat(storage.newestVersions(List.of(several, unowned))).containsExactly(0L, 0L);
  }

  @Test
  void anEventPastTheLimitIsRejectedAndItsNeighboursAreNot() throws Exception {
    Fence fence = claim(NORA);
    var gate = faulty.hold(FaultyStorage.Operation.COMMIT);
    String atTheLimit = freshId();
    String pastIt = freshId();
    String neighbour = freshId();
    tell(spawn(atTheLimit, fence), new Tally.Filled(fence, Commit.MAX_PAYLOAD_BYTES));
    tell(spawn(pastIt, fence), new Tally.Filled(fence, Commit.MAX_PAYLOAD_BYTES + 1));
    tell(spawn(neighbour, fence), new Tally.Added(fence, 1));
    assertThat(rejectionCause())
        .isInstanceOf(InvalidCommitError.class)
        .hasMessageContaining("more than the limit of " + Commit.MAX_PAYLOAD_BYTES);
    gate.open();
    Eventually.equals(
        () -> storage.newestVersions(List.of(atTheLimit, pastIt, neighbour)), List.of(1L, 0L, 1L));
  }

  @Test
  void aHistoryWithAHoleIsNotReplayed() throws InterruptedException {
    String id = freshId();
    Fence fence = claim(NORA);
    ActorRef<Tally.Command> tally = spawn(id, fence);
    for (int number = 1; number <= 3; number++) store(tally, new Tally.Added(fence, number));
    stop(tally);
    database.execute(
        "DELETE FROM event_journal WHERE sequence_number = 2 AND persistence_id = '" + id + "'");
    assertThat(damage(id, fence)).contains("version 2 of " + id + " is missing");
  }

  @Test
  void aHistoryWithAFallingEpochIsNotReplayed() throws InterruptedException {
    String id = freshId();
    Fence fence = claim(NORA);
    ActorRef<Tally.Command> tally = spawn(id, fence);
    for (int number = 1; number <= 3; number++) store(tally, new Tally.Added(fence, number));
    stop(tally);
    database.execute(
        "UPDATE event_journal SET epoch = epoch - 1 WHERE sequence_number = 3 AND persistence_id ="
            + " '"
            + id
            + "'");
    assertThat(damage(id, fence)).contains("version 3 of " + id + " was written under epoch");
  }

  private String damage(String id, Fence fence) throws InterruptedException {
    ActorRef<Tally.Command> damaged = spawn(id, fence);
    EventSourcedSignal signal = signals.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    actors.stop(damaged);
    Throwable cause = ((RecoveryFailed) signal).failure();
    while (cause.getCause() != null) cause = cause.getCause();
    assertThat(cause).isInstanceOf(DamagedJournalError.class);
    return cause.getMessage();
  }

  @Test
  void aRecoveryWaitsForTheCommitThatIsStillUnderWay() {
    String id = freshId();
    Fence fence = claim(NORA);
    ActorRef<Tally.Command> tally = spawn(id, fence);
    var gate = faulty.hold(FaultyStorage.Operation.COMMIT);
    tell(tally, new Tally.Added(fence, 5));
    gate.awaitArrival();
    actors.stop(tally);
    ActorRef<Tally.Command> again = spawn(id, fence);
    TestProbe<Long> probe = actors.createTestProbe();
    again.tell(new Tally.Command.Read(probe.getRef()));
    probe.expectNoMessage(Duration.ofMillis(200));
    gate.open();
    assertThat(probe.receiveMessage(PATIENCE)).isEqualTo(5);
  }

  /** As an owner does: the actor of the journal has no part in it, and recoveries still wait. */
  @Test
  void whatIsHandedToTheDaoIsStoredAndRecoveriesWaitForIt() {
    String id = freshId();
    Fence fence = claim(NORA);
    FencedJournalDao journal = journal();
    var gate = faulty.hold(FaultyStorage.Operation.COMMIT);
    CompletableFuture<CommitResult> written =
        journal
            .write(new CommitId(id, 1, Writers.named("owner")), new Tally.Added(fence, 5))
            .toCompletableFuture();
    gate.awaitArrival();
    ActorRef<Tally.Command> reader = spawn(id, fence);
    TestProbe<Long> probe = actors.createTestProbe();
    reader.tell(new Tally.Command.Read(probe.getRef()));
    probe.expectNoMessage(Duration.ofMillis(200));
    gate.open();
    assertThat(probe.receiveMessage(PATIENCE)).isEqualTo(5);
    assertThat(written.join()).isEqualTo(new CommitResult.Committed(1));
  }

  @Test
  void whatTheDaoCannotStoreFails() {
    String id = freshId();
    Fence fence = claim(NORA);
    var tooLarge = new Tally.Filled(fence, Commit.MAX_PAYLOAD_BYTES + 1);
    assertThat(journal().write(new CommitId(id, 1, Writers.named("owner")), tooLarge))
        .failsWithin(PATIENCE)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(InvalidCommitError.class);
    assertThat(storage.newestVersions(List.of(id))).containsExactly(0L);
  }

  @Test
  void anOwnerCannotDeleteHistory() {
    assertThat(journal().delete(freshId(), 1).value().get().failed().get())
        .hasMessageContaining("Only retention may");
  }

  private static FencedJournalDao journal() {
    return StorageExtension.of(actors.system()).journal().toCompletableFuture().join();
  }

  private Fence claim(Holder holder) {
    return fence(FRESH.incrementAndGet(), holder, gone -> false);
  }

  private Fence takeOver(int shard) {
    return fence(shard, OLAF, gone -> true);
  }

  private static Fence fence(int shard, Holder holder, Membership members) {
    return switch (storage.leases().acquire(shard, holder, members, PATIENCE)) {
      case Leases.Claim.Granted granted -> new Fence(shard, granted.epoch(), holder.incarnation());
      case Leases.Claim.Refused refused -> throw new AssertionError(refused);
    };
  }

  private static String freshId() {
    return "tally|" + FRESH.incrementAndGet();
  }

  private ActorRef<Tally.Command> spawn(String id, Fence fence) {
    return actors.spawn(Tally.create(id, fence, signals::add));
  }

  private static long store(ActorRef<Tally.Command> tally, Object... events) {
    TestProbe<Long> probe = actors.createTestProbe();
    tally.tell(new Tally.Command.Store(List.of(events), probe.getRef()));
    return probe.receiveMessage(PATIENCE);
  }

  private static void tell(ActorRef<Tally.Command> tally, Object... events) {
    tally.tell(new Tally.Command.Store(List.of(events), actors.<Long>createTestProbe().getRef()));
  }

  private static long read(ActorRef<Tally.Command> tally) {
    TestProbe<Long> probe = actors.createTestProbe();
    tally.tell(new Tally.Command.Read(probe.getRef()));
    return probe.receiveMessage(PATIENCE);
  }

  private static void stop(ActorRef<Tally.Command> tally) {
    TestProbe<Done> probe = actors.createTestProbe();
    tally.tell(new Tally.Command.Stop(probe.getRef()));
    probe.receiveMessage(PATIENCE);
    probe.expectTerminated(tally, PATIENCE);
  }

  private Throwable rejectionCause() throws InterruptedException {
    EventSourcedSignal signal = signals.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(signal).isInstanceOf(JournalPersistRejected.class);
    return ((JournalPersistRejected) signal).failure();
  }

  private CommitResult rejection() throws InterruptedException {
    return ((CommitRejected) rejectionCause()).result();
  }
}
