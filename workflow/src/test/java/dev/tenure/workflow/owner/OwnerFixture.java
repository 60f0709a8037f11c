package dev.tenure.workflow.owner;

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
import java.util.function.Supplier;

/** An owner whose surroundings do what a test says, and remember what they were asked for. */
final class OwnerFixture extends MailboxOfTest<String>
    implements OwnerPort<String, String, String> {
  static final String ENTRY = "an entry";
  static final String SNAPSHOT = "a snapshot";

  /** What happened, in words. */
  final List<String> log = new ArrayList<>();

  /** Which inputs were met in which states. */
  final Map<OwnerState, Set<OwnerInput>> met = new EnumMap<>(OwnerState.class);

  /** What the decider answers, one after the other; nothing when there is no more. */
  final Deque<Supplier<Next<String>>> answers = new ArrayDeque<>();

  final OwnerLoop<String, String, String> loop;
  boolean tenure = true;
  boolean fresh;
  boolean full;
  RuntimeException foldFails;
  RuntimeException standInFails;
  RuntimeException endFails;
  Optional<String> damage = Optional.empty();

  /** What was asked for last. */
  long number;

  int takenUp;

  OwnerFixture() {
    this.loop =
        new OwnerLoop<>(
            this,
            this,
            Duration.ofSeconds(1),
            (state, input) ->
                met.computeIfAbsent(state, s -> EnumSet.noneOf(OwnerInput.class)).add(input));
  }

  void answers(Next<String> next) {
    answers.add(() -> next);
  }

  void fails(String why) {
    answers.add(
        () -> {
          throw new IllegalStateException(why);
        });
  }

  /** A commit, and what its performance wants. */
  Next<String> commit(Next<String> performed) {
    return new Next.Commit<>(
        ENTRY,
        true,
        () -> {
          log.add("performs");
          return performed;
        });
  }

  private Next<String> answer() {
    Supplier<Next<String>> answer = answers.poll();
    return answer == null ? Next.nothing() : answer.get();
  }

  private final class Scripted implements Decider<String, String, String> {
    private final int generation;

    Scripted(int generation) {
      this.generation = generation;
    }

    @Override
    public void recover(String entry) {
      if (foldFails != null) throw foldFails;
      log.add("folds " + entry);
    }

    @Override
    public void restore(String snapshot) {
      if (foldFails != null) throw foldFails;
      log.add("restores " + snapshot);
    }

    @Override
    public Next<String> begin() {
      log.add("begins " + generation);
      return answer();
    }

    @Override
    public Next<String> on(String message) {
      log.add("takes " + message);
      return answer();
    }

    @Override
    public Next<String> goOn() {
      log.add("goes on");
      return answer();
    }

    @Override
    public Decider<String, String, String> carryOver() {
      log.add("carries over");
      return new Scripted(generation + 1);
    }

    @Override
    public void cannotCommit(RuntimeException why) {
      log.add("cannot commit");
    }

    @Override
    public void end(String why) {
      log.add("ends");
      if (endFails != null) throw endFails;
    }
  }

  // --- port

  @Override
  public Optional<TakenUp<String, String, String>> takeUp(Optional<String> failure) {
    failure.ifPresent(why -> log.add("must raise an incident"));
    return tenure ? Optional.of(new TakenUp<>(new Scripted(++takenUp), fresh)) : Optional.empty();
  }

  @Override
  public void readHistory(long asked) {
    number = asked;
    log.add("reads");
  }

  @Override
  public void write(String entry, long asked) {
    number = asked;
    log.add("writes " + entry);
  }

  @Override
  public void pause(Duration pause, long asked) {
    number = asked;
    log.add("pauses");
  }

  @Override
  public Optional<String> damage(Throwable failure) {
    return damage;
  }

  @Override
  public boolean mayPass(Throwable failure) {
    return "away".equals(failure.getMessage());
  }

  @Override
  public StandIn<String> standIn(String evidence, long asked) {
    number = asked;
    return message -> {
      if (standInFails != null) throw standInFails;
      log.add("stands in for " + message);
    };
  }

  @Override
  public void leave() {
    log.add("asks to leave");
  }

  @Override
  public void letGo() {
    log.add("lets go");
  }

  @Override
  public void failed(RuntimeException failure) {
    log.add("failed: " + failure.getMessage());
  }

  @Override
  public void ended() {
    log.add("ended");
  }

  // --- mailbox

  @Override
  public boolean admits(String message) {
    return !full;
  }

  @Override
  public void sendElsewhere() {
    kept.removeIf(
        message -> {
          if (!message.equals("signal")) return false;
          log.add("sends elsewhere " + message);
          return true;
        });
  }

  @Override
  public void giveBack(String message, String why) {
    log.add("gives back " + message);
  }
}
