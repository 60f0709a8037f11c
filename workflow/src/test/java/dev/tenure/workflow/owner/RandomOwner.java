package dev.tenure.workflow.owner;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * An owner that lives a random life, and whose surroundings check what it does: each message comes
 * to one end, in the order of arrival; what follows from a commit happens once, and only when the
 * commit stands; nothing is asked for after the end. A message is a number that rises; a report of
 * the workflow's code is {@link #CODE}, which is nobody's request.
 */
final class RandomOwner extends MailboxOfTest<Integer>
    implements OwnerPort<Integer, String, String> {
  static final int CODE = 0;

  /** What the port was asked for, and has not answered. */
  enum Asked {
    NOTHING,
    READ,
    WRITE,
    PAUSE,
    STAND_IN
  }

  final RandomGenerator random;

  /** Few lives have an owner that is beyond help. */
  private final boolean faulty;

  final OwnerLoop<Integer, String, String> loop;
  final Map<OwnerState, Set<OwnerInput>> met = new EnumMap<>(OwnerState.class);
  Asked asked = Asked.NOTHING;

  /** Of what was asked for last. */
  long number;

  int sent;

  /** Messages in the order in which they came to an end; those refused at the door not among. */
  final List<Integer> ended = new ArrayList<>();

  int refused;
  boolean wantsToLeave;
  boolean letGo;
  int ends;

  // As the messages of a workflow wait, besides those that are kept: to be decided, and to be
  // decided first.
  private final Deque<Integer> waiting = new ArrayDeque<>();
  private final Deque<Integer> again = new ArrayDeque<>();

  private final List<Deciding> deciders = new ArrayList<>();
  private int newestTaken;

  RandomOwner(RandomGenerator random) {
    this.random = random;
    this.faulty = once(8);
    this.loop =
        new OwnerLoop<>(
            this,
            this,
            Duration.ofSeconds(1),
            (state, input) ->
                met.computeIfAbsent(state, s -> EnumSet.noneOf(OwnerInput.class)).add(input));
  }

  private boolean once(int in) {
    return random.nextInt(in) == 0;
  }

  private void ends(int message) {
    if (message == CODE) return;
    assertThat(ended).as("%d comes to an end once, and in its order", message).isSorted();
    if (!ended.isEmpty()) assertThat(message).isGreaterThan(ended.getLast());
    ended.add(message);
  }

  /** Nothing is in the hands of the owner any more. */
  void assertNothingIsLeft() {
    assertThat(kept).isEmpty();
    assertThat(waiting).isEmpty();
    assertThat(again).isEmpty();
    assertThat(ended).as("each message has come to an end").hasSize(sent - refused);
    assertThat(ends).as("it ended once").isEqualTo(1);
    for (Deciding one : deciders)
      assertThat(one.over).as("each decider was given up, or carried over").isTrue();
  }

  // --- what decides

  private final class Deciding implements Decider<Integer, String, String> {
    private final boolean mustRaise;

    /** What it decides now, or has in a commit; null when nothing. */
    private Integer job;

    private boolean awaitsCode;
    private boolean begun;
    private boolean over;

    Deciding(boolean mustRaise) {
      this.mustRaise = mustRaise;
      deciders.add(this);
    }

    private void requireAtWork() {
      assertThat(over).as("a decider is used that was given up").isFalse();
    }

    @Override
    public void recover(String entry) {
      requireAtWork();
      if (once(100)) throw new IllegalStateException(once(2) ? "damaged" : "a defect");
      if (once(200)) throw new NoClassDefFoundError("on purpose");
    }

    @Override
    public void restore(String snapshot) {
      requireAtWork();
      if (once(20)) throw new IllegalStateException("a defect");
    }

    @Override
    public Next<String> begin() {
      requireAtWork();
      if (once(30)) throw new IllegalStateException("away");
      takeUpAgain();
      return mustRaise ? commit(OwnerFixture.ENTRY) : work();
    }

    /** Also with the first message, where there was no history to begin with. */
    private void takeUpAgain() {
      begun = true;
      again.descendingIterator().forEachRemaining(waiting::addFirst);
      again.clear();
    }

    @Override
    public Next<String> on(Integer message) {
      requireAtWork();
      if (!begun) takeUpAgain();
      if (message == CODE) {
        if (!awaitsCode) return Next.nothing();
        awaitsCode = false;
        endJob();
      } else waiting.add(message);
      return work();
    }

    @Override
    public Next<String> goOn() {
      requireAtWork();
      return work();
    }

    private void endJob() {
      if (job != null) ends(job);
      job = null;
    }

    private Next<String> work() {
      while (!awaitsCode && !waiting.isEmpty()) {
        int message = waiting.remove();
        assertThat(message).as("in the order of arrival").isGreaterThanOrEqualTo(newestTaken);
        newestTaken = message;
        job = message;
        Next<String> next = take(message);
        if (!(next instanceof Next.Nothing)) return next;
      }
      return once(40) ? Next.leave() : Next.nothing();
    }

    private Next<String> take(int message) {
      switch (faulty && !once(4) ? 7 : random.nextInt(12)) {
        case 0 -> awaitsCode = true;
        case 1, 2, 3, 4 -> {
          return commit(OwnerFixture.ENTRY);
        }
        case 5 -> {
          again.add(message);
          job = null;
          return new Next.Restart<>("again");
        }
        case 6 -> {
          waiting.addFirst(message);
          job = null;
          return new Next.Pause<>("later");
        }
        case 7 -> {
          if (faulty || once(2)) {
            endJob();
            if (once(3)) throw new NoClassDefFoundError("on purpose");
            throw new IllegalStateException(once(2) ? "away" : "a defect");
          }
          endJob();
        }
        default -> endJob();
      }
      return Next.nothing();
    }

    private Next<String> commit(String entry) {
      boolean[] performed = new boolean[1];
      return new Next.Commit<>(
          entry,
          !faulty && once(2),
          () -> {
            requireAtWork();
            assertThat(performed[0]).as("it is performed twice").isFalse();
            performed[0] = true;
            assertThat(asked).as("the commit stands").isEqualTo(Asked.NOTHING);
            endJob();
            return performed();
          });
    }

    private Next<String> performed() {
      return switch (random.nextInt(12)) {
        case 0 -> Next.carryOver();
        case 1 -> new Next.Restart<>("once more");
        case 2 -> throw new IllegalStateException(once(2) ? "away" : "a defect");
        default -> Next.nothing();
      };
    }

    @Override
    public Decider<Integer, String, String> carryOver() {
      requireAtWork();
      over = true;
      return new Deciding(false);
    }

    @Override
    public void cannotCommit(RuntimeException why) {
      requireAtWork();
      endJob();
      if (once(5)) throw new IllegalStateException("a defect");
    }

    @Override
    public void end(String why) {
      requireAtWork();
      over = true;
      endJob();
      if (once(20)) throw new IllegalStateException("a defect of the end");
      if (once(20)) throw new NoClassDefFoundError("on purpose");
    }
  }

  // --- port

  private void asks(Asked what, long with) {
    requireAlive();
    assertThat(asked).as("%s is under way", asked).isEqualTo(Asked.NOTHING);
    asked = what;
    number = with;
  }

  private void requireAlive() {
    assertThat(ends).as("it asks for something after its end").isZero();
    assertThat(letGo).as("it asks for something after it let go").isFalse();
  }

  @Override
  public Optional<TakenUp<Integer, String, String>> takeUp(Optional<String> failure) {
    requireAlive();
    if (once(30)) throw new IllegalStateException("a defect");
    if (once(30)) throw new NoClassDefFoundError("on purpose");
    if (once(40)) return Optional.empty();
    return Optional.of(new TakenUp<>(new Deciding(failure.isPresent()), once(3)));
  }

  @Override
  public void readHistory(long with) {
    asks(Asked.READ, with);
  }

  @Override
  public void write(String entry, long with) {
    asks(Asked.WRITE, with);
  }

  @Override
  public void pause(Duration pause, long with) {
    asks(Asked.PAUSE, with);
  }

  @Override
  public StandIn<Integer> standIn(String evidence, long with) {
    asks(Asked.STAND_IN, with);
    return message -> {
      ends(message);
      if (once(5)) throw new IllegalStateException("a defect");
      if (once(5)) throw new NoClassDefFoundError("on purpose");
    };
  }

  @Override
  public Optional<String> damage(Throwable failure) {
    return Optional.ofNullable(failure.getMessage()).filter("damaged"::equals);
  }

  @Override
  public boolean mayPass(Throwable failure) {
    return "away".equals(failure.getMessage());
  }

  @Override
  public void leave() {
    requireAlive();
    wantsToLeave = true;
  }

  @Override
  public void letGo() {
    requireAlive();
    letGo = true;
  }

  @Override
  public void failed(RuntimeException failure) {
    assertThat(failure.toString()).containsAnyOf("defect", "on purpose", "cannot be", "too large");
  }

  @Override
  public void ended() {
    ends++;
  }

  // --- mailbox

  @Override
  public boolean admits(Integer message) {
    if (message == CODE || kept.size() + waiting.size() + again.size() < 8) return true;
    refused++;
    return false;
  }

  @Override
  public Optional<Integer> nextUndecided() {
    Deque<Integer> from = !again.isEmpty() ? again : !waiting.isEmpty() ? waiting : kept;
    return Optional.ofNullable(from.poll());
  }

  @Override
  public void giveBack(Integer message, String why) {
    ends(message);
  }
}
