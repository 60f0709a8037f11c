package dev.tenure.workflow.kernel;

import dev.tenure.workflow.kernel.MemoryJournal.Fate;
import dev.tenure.workflow.kernel.MemoryJournal.SnapshotAt;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;

/** Decides what becomes of the commits of a {@link Universe}, and of which there are snapshots. */
final class Fates {
  private static final Fate[] ALL = Fate.values();

  private final SplittableRandom random;
  private final Course course;

  /**
   * @param random its own, so that it changes no other chance
   */
  Fates(SplittableRandom random, Course course) {
    this.random = random;
    this.course = course;
  }

  void decideFor(Shell shell) {
    shell.onStands = state -> keepSnapshot(shell, state);
    Function<List<Event>, Fate> inPortions = shell.journal.fate;
    shell.journal.fate =
        events -> {
          Fate fate = inPortions.apply(events);
          return fate == Fate.STANDS ? of(events) : fate;
        };
  }

  private Fate of(List<Event> events) {
    return switch (course) {
      case CALM -> Fate.STANDS;
      // What an owner only hands out again, the next one would hand out again.
      case RESTARTING ->
          events.stream().allMatch(Event.Redelivered.class::isInstance)
              ? Fate.STANDS
              : Fate.DIES_AFTER;
      case FAULTY -> random.nextInt(14) == 0 ? ALL[random.nextInt(ALL.length)] : Fate.STANDS;
    };
  }

  /** The next owner may begin with it, however much of the history is behind it by then. */
  private void keepSnapshot(Shell shell, WorkflowState state) {
    if (course == Course.FAULTY && random.nextInt(10) == 0)
      shell.journal.snapshot =
          Optional.of(new SnapshotAt(shell.history.size(), StateSnapshot.of(state)));
  }
}
