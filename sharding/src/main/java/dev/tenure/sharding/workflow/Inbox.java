package dev.tenure.sharding.workflow;

import dev.tenure.persistence.signal.PendingSignal;
import dev.tenure.workflow.kernel.Command;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * An owner's looks into its inbox: one at a time, from its beginning, because what nobody waited
 * for yet stays in it. Touched by the owner's thread only.
 */
final class Inbox {
  private final SeenSignals seen;
  private final LongConsumer readAfter;
  private final List<Command.Arrival> wanted = new ArrayList<>();
  private boolean reading;
  private boolean again;

  /** More were wanted than one commit takes. */
  private boolean leftSome;

  private long bytes;

  /** Names of which one was left: none behind it may be taken in the same look (I14). */
  private final Set<String> left = new HashSet<>(4);

  /**
   * @param readAfter asks for the page after a position; its answer goes to {@link #page}
   */
  Inbox(SeenSignals seen, LongConsumer readAfter) {
    this.seen = seen;
    this.readAfter = readAfter;
  }

  /** Looks now, or once more when the look that is under way is over. */
  void look() {
    if (reading) {
      again = true;
      return;
    }
    reading = true;
    wanted.clear();
    left.clear();
    bytes = 0;
    seen.begins();
    readAfter.accept(0);
  }

  boolean isReading() {
    return reading;
  }

  /** What was taken is committed: now there is room for what one look left. */
  void lookForTheRest() {
    if (!leftSome) return;
    leftSome = false;
    look();
  }

  private boolean isFull() {
    return wanted.size() >= Results.PER_COMMIT_MAX || bytes >= Results.BYTES_PER_COMMIT;
  }

  /** Left, when nobody waits for it; also when somebody began to, while this look went on. */
  private void take(PendingSignal signal, Predicate<String> awaited) {
    if (left.contains(signal.name())) return;
    boolean wants = awaited.test(signal.name());
    if (!wants || isFull()) {
      left.add(signal.name());
      leftSome |= wants;
      return;
    }
    bytes += signal.payload().size();
    wanted.add(
        new Command.Arrival(
            signal.name(), signal.position(), signal.id(), signal.payload(), signal.trace()));
  }

  /** Takes a page in; with the last one comes what of it all somebody waits for. */
  Optional<Command.Signals> page(List<PendingSignal> page, Predicate<String> awaited) {
    for (PendingSignal signal : page) {
      seen.saw(signal.name(), signal.position());
      take(signal, awaited);
    }
    if (page.size() == InboxReads.PAGE_SIGNALS) {
      readAfter.accept(page.getLast().position());
      return Optional.empty();
    }
    reading = false;
    seen.ends();
    Optional<Command.Signals> found =
        wanted.isEmpty() ? Optional.empty() : Optional.of(new Command.Signals(wanted));
    if (again) {
      again = false;
      look();
    }
    return found;
  }
}
