package dev.tenure.workflow.audit;

import dev.tenure.workflow.collation.DimensionalAddress;
import dev.tenure.workflow.collation.Parent;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Place;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What the messages of a graph ask for: each moves the semaphore by the number of operations that
 * name it as their cause, less its own, and they stand where its dimension says.
 */
final class GraphAudit {
  private final Supplier<String> what;

  /** Where the children of each operation's newest message stand. */
  private final Map<OperationId, DimensionalAddress> adjacent = new HashMap<>();

  /** Of everything that can be entered again, where it stands and how often it was entered. */
  private final Map<OperationId, Place> pivots = new HashMap<>();

  private final Map<OperationId, Integer> entries = new HashMap<>();

  // Of the commit that is read.
  private final Map<OperationId, Long> asked = new HashMap<>();
  private final Map<OperationId, Long> counted = new HashMap<>();
  private long askedByNone;
  private long countedByNone;
  private long published;

  GraphAudit(Supplier<String> what) {
    this.what = what;
  }

  private void require(boolean holds, String invariant, String why) {
    if (!holds) throw new Violation(invariant, what.get() + ": " + why);
  }

  void begins() {
    adjacent.clear();
    pivots.clear();
    entries.clear();
  }

  /** An operation's message came with that ordinal. */
  void message(OperationId id, Place place, int ordinal) {
    adjacent.put(id, place.adjacent(Math.max(0, ordinal - 1)));
    entries.merge(id, ordinal, Math::max);
  }

  /** Whether an operation's own message may have that entry: cycles may have taken some before. */
  boolean isNext(OperationId id, int own, int entry) {
    return entry == Math.max(own, entries.getOrDefault(id, 0) + 1);
  }

  void asks(OperationId id, Place place) {
    require(place.kind() != null, "I9", "it is no activity");
    Optional<OperationId> cause = place.cause();
    if (cause.isEmpty()) {
      askedByNone++;
      return;
    }
    asked.merge(cause.get(), 1L, Long::sum);
    require(
        place.address().equals(adjacent.get(cause.get())),
        "I9",
        id + " stands at " + place.address() + ", not at " + adjacent.get(cause.get()));
  }

  /** Step 2 of an operation's message moved the semaphore so far. */
  void spawned(Event.Spawned event, Place place, long delta) {
    counted.put(event.operation(), delta + (event.parent() == Parent.CLOSES ? 1 : 0));
    if (event.parent() == Parent.CLOSES && place.kind().isPivot())
      pivots.put(event.operation(), place);
  }

  void pivotOpened(OperationId id, Place place) {
    if (place.kind().isPivot()) pivots.put(id, place);
  }

  /** A cycle's message takes the next entry of its ancestor, and so a plane of its own. */
  void reentered(Event.Reentered event) {
    Place pivot = pivots.get(event.pivot());
    require(pivot != null, "I9", "it enters what cannot be entered again");
    int before = entries.getOrDefault(event.pivot(), 0);
    // One that passed through has its first entry in advance.
    int ordinal = Math.max(before, 1) + 1;
    require(event.digits().guid().ordinal() == ordinal, "I9", "the entry is not the next");
    entries.put(event.pivot(), ordinal);
    adjacent.put(event.operation(), pivot.adjacent(ordinal - 1));
    String below = event.place().address().path();
    String above = pivot.address().path();
    require(
        below.startsWith(above.substring(0, above.lastIndexOf(',') + 1))
            && event.place().address().depth() > pivot.address().depth(),
        "I9",
        "it stands beside its ancestor");
    event.unreachable().forEach(pivots::remove);
  }

  void countedByNone(long children) {
    countedByNone += children;
  }

  /** The trigger counts its children anew, with all that is open before. */
  void published(long children, long openBefore) {
    published = children - openBefore;
  }

  /** What a commit asked for is what its messages counted (I10). */
  void committed() {
    long byNone = askedByNone;
    for (Map.Entry<OperationId, Long> one : asked.entrySet()) {
      Long count = counted.remove(one.getKey());
      // Of an answer in portions, only the last portion is counted with its cause.
      if (count == null) byNone += one.getValue();
      else require(count.equals(one.getValue()), "I10", one + " are asked for, counted " + count);
    }
    for (Map.Entry<OperationId, Long> one : counted.entrySet())
      require(one.getValue() == 0, "I10", one + " are counted, and none is asked for");
    require(
        byNone == countedByNone + published,
        "I10",
        byNone + " have no cause, counted " + countedByNone + " and published " + published);
    asked.clear();
    counted.clear();
    askedByNone = 0;
    countedByNone = 0;
    published = 0;
  }
}
