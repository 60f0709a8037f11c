package dev.tenure.sharding.workflow;

import dev.tenure.persistence.signal.PendingSignal;
import dev.tenure.workflow.kernel.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * An owner's looks into its inbox: one at a time, from its beginning, because what nobody waited
 * for yet stays in it. Touched by the owner's thread only.
 */
final class Inbox {
  private final LongConsumer readAfter;
  private final List<Command.Arrival> wanted = new ArrayList<>();
  private boolean reading;
  private boolean again;
  private long newest;

  /**
   * @param readAfter asks for the page after a position; its answer goes to {@link #page}
   */
  Inbox(LongConsumer readAfter) {
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
    readAfter.accept(0);
  }

  boolean isReading() {
    return reading;
  }

  /** The newest position that was seen. */
  long newest() {
    return newest;
  }

  /** Takes a page in; with the last one comes what of it all somebody waits for. */
  Optional<Command.Signals> page(List<PendingSignal> page, Predicate<String> awaited) {
    for (PendingSignal signal : page) {
      newest = Math.max(newest, signal.position());
      if (awaited.test(signal.name()) && wanted.size() < Results.PER_COMMIT_MAX)
        wanted.add(
            new Command.Arrival(
                signal.name(), signal.position(), signal.id(), signal.payload(), signal.trace()));
    }
    if (page.size() == InboxReads.PAGE_SIGNALS) {
      readAfter.accept(page.getLast().position());
      return Optional.empty();
    }
    reading = false;
    Optional<Command.Signals> found =
        wanted.isEmpty() ? Optional.empty() : Optional.of(new Command.Signals(wanted));
    if (again) {
      again = false;
      look();
    }
    return found;
  }
}
