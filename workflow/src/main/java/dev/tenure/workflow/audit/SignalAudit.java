package dev.tenure.workflow.audit;

import dev.tenure.workflow.kernel.Command;
import java.util.HashMap;
import java.util.Map;

/** Counts the signals that a workflow consumes and gives back (I13, I14). */
final class SignalAudit {
  private final Map<String, Long> consumed = new HashMap<>();

  /** Names by position, of what was given back and not consumed again. */
  private final Map<Long, String> returned = new HashMap<>();

  private long newest;

  /** The newest position that the run before had seen, when another start took its place. */
  private long earlier = Long.MIN_VALUE;

  private static void require(boolean holds, String invariant, String why, String what) {
    Violation.require(holds, invariant, what + ": " + why);
  }

  void consumed(Command.Arrival signal, String what) {
    long position = signal.position();
    require(position > earlier, "I13", "it was meant for an earlier run", what);
    Long before = consumed.get(signal.signal());
    boolean again = returned.remove(position, signal.signal());
    require(again || before == null || before < position, "I14", "after " + before, what);
    returned.forEach(
        (other, name) ->
            require(
                !name.equals(signal.signal()) || other > position,
                "I14",
                "before " + other + ", given back",
                what));
    consumed.merge(signal.signal(), position, Math::max);
    newest = Math.max(newest, position);
  }

  void returned(String signal, long position, String what) {
    Long last = consumed.get(signal);
    require(last != null && position <= last, "I13", "it was never consumed", what);
    require(returned.put(position, signal) == null, "I13", "it was given back before", what);
  }

  void nextRun(long newestSignal, String what) {
    require(newestSignal == newest, "I14", "what was consumed is forgotten", what);
  }

  /** The next run knows nothing of the one before it. */
  void startedAgain(long newestSignal, String what) {
    nextRun(newestSignal, what);
    for (long position : consumed.values()) earlier = Math.max(earlier, position);
    consumed.clear();
    returned.clear();
  }
}
