package dev.tenure.workflow.kernel;

import dev.tenure.workflow.owner.Decider;
import dev.tenure.workflow.owner.OwnerLoop;
import dev.tenure.workflow.owner.OwnerPort;
import dev.tenure.workflow.owner.StandIn;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs one {@link OwnerLoop} after the other over a history in memory. It answers only when the
 * loop has returned, and a test says what becomes of each commit.
 */
final class MemoryJournal implements OwnerPort<Told, List<Event>, MemoryJournal.SnapshotAt> {
  /** What becomes of a commit, and of the owner that wants it. */
  enum Fate {
    STANDS,
    /** Another owner may have been first. */
    REFUSED,
    /** It is not stored, and the owner does not know. */
    LOST,
    /** It is stored, and the owner does not know. */
    UNHEARD,
    /** It is stored, and the journal never says so. */
    SILENT,
    /** The owner dies, and it is not stored. */
    DIES_BEFORE,
    /** It is stored, and the owner dies before it knows. */
    DIES_AFTER,
    /** It stands, and the owner was told to stop meanwhile. */
    STOPS
  }

  /**
   * @param commits how many of them it stands for
   */
  record SnapshotAt(int commits, StateSnapshot state) {}

  private static final Duration PAUSE_MAX = Duration.ofSeconds(1);

  final List<List<Event>> history = new ArrayList<>();

  /** Of some commit of the past. */
  Optional<SnapshotAt> snapshot = Optional.empty();

  Function<List<Event>, Fate> fate = events -> Fate.STANDS;

  /** Sees every commit as it is stored. */
  Consumer<List<Event>> onCommit = events -> {};

  /** Of the owner that is there now, or was last. */
  final MemoryMailbox mailbox = new MemoryMailbox();

  private final Supplier<Decider<Told, List<Event>, SnapshotAt>> deciders;
  private final Deque<Runnable> answers = new ArrayDeque<>();

  /** Null when no node has taken the workflow up. */
  private OwnerLoop<Told, List<Event>, SnapshotAt> loop;

  private boolean died;

  /** What has become of commits so far. */
  final Set<Fate> met = EnumSet.noneOf(Fate.class);

  /** How often an owner asked to leave the memory. */
  int departures;

  MemoryJournal(Supplier<Decider<Told, List<Event>, SnapshotAt>> deciders) {
    this.deciders = deciders;
  }

  boolean isOwned() {
    return loop != null;
  }

  /** Whether the owner that was there last has died; asked once. */
  boolean hasDied() {
    boolean answer = died;
    died = false;
    return answer;
  }

  /** A node takes the workflow up, unless one has it. */
  void takeUp() {
    if (loop != null) return;
    loop = new OwnerLoop<>(this, mailbox, PAUSE_MAX);
    loop.begin();
    answerAll();
  }

  void tell(Told message) {
    takeUp();
    // It may have died while it took the workflow up.
    if (loop == null) return;
    loop.on(message);
    answerAll();
  }

  /** The node dies, if one has it. */
  void kill() {
    if (loop != null) loop.killed();
  }

  private void answerAll() {
    while (!answers.isEmpty()) answers.remove().run();
  }

  private void answer(Consumer<OwnerLoop<Told, List<Event>, SnapshotAt>> answer) {
    OwnerLoop<Told, List<Event>, SnapshotAt> asked = loop;
    answers.add(() -> answer.accept(asked));
  }

  @Override
  public Optional<TakenUp<Told, List<Event>, SnapshotAt>> takeUp(Optional<String> failure) {
    failure.ifPresent(
        why -> {
          throw new IllegalStateException(why);
        });
    return Optional.of(new TakenUp<>(deciders.get(), history.isEmpty()));
  }

  @Override
  public void readHistory(long number) {
    answer(
        owner -> {
          snapshot.ifPresent(found -> owner.snapshotRead(number, found));
          for (List<Event> events : List.copyOf(history)) owner.entryRead(number, events);
          owner.historyRead(number);
        });
  }

  @Override
  public void write(List<Event> events, long number) {
    Fate decided = fate.apply(events);
    met.add(decided);
    switch (decided) {
      case STANDS, UNHEARD, SILENT, DIES_AFTER, STOPS -> {
        history.add(events);
        onCommit.accept(events);
      }
      case REFUSED, LOST, DIES_BEFORE -> {}
    }
    answer(
        owner -> {
          switch (decided) {
            case STANDS -> owner.commitStands(number);
            case REFUSED -> owner.commitRefused(number, "another owner was first");
            case LOST, UNHEARD -> owner.commitUncertain(number);
            case SILENT -> owner.journalSilent(number);
            case DIES_BEFORE, DIES_AFTER -> {
              died = true;
              owner.killed();
            }
            case STOPS -> {
              owner.stop();
              owner.commitStands(number);
            }
          }
        });
  }

  @Override
  public void pause(Duration pause, long number) {
    answer(owner -> owner.pauseOver(number));
  }

  @Override
  public Optional<String> damage(Throwable failure) {
    return Optional.empty();
  }

  @Override
  public boolean mayPass(Throwable failure) {
    return false;
  }

  @Override
  public StandIn<Told> standIn(String evidence, long number) {
    throw new IllegalStateException("Its history can be read.");
  }

  @Override
  public void leave() {
    departures++;
    answer(OwnerLoop::stop);
  }

  @Override
  public void letGo() {
    throw new IllegalStateException("It is always owned, and its history read at once.");
  }

  @Override
  public void failed(RuntimeException failure) {
    throw failure;
  }

  @Override
  public void ended() {
    answers.clear();
    loop = null;
  }
}
