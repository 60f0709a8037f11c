package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Payload;
import dev.tenure.workflow.collation.ActivityKind;
import dev.tenure.workflow.collation.DimensionalAddress;
import dev.tenure.workflow.collation.GuidLedger;
import dev.tenure.workflow.collation.Leg;
import dev.tenure.workflow.collation.Parent;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.OperationSpec.Attempted;
import dev.tenure.workflow.operation.OperationSpec.Awaited;
import dev.tenure.workflow.operation.OperationSpec.Cycle;
import dev.tenure.workflow.operation.OperationSpec.Delivered;
import dev.tenure.workflow.operation.OperationSpec.Recorded;
import dev.tenure.workflow.operation.OperationSpec.Value;
import dev.tenure.workflow.operation.Place;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Step 2 of the messages of a graph: how many children each asks for, what that does to the
 * semaphore, and where those children stand.
 *
 * <p>A message whose program does not learn of it yet, or has not said all that it asks for, has
 * its step 1 only. Its obligation stays until a later commit.
 */
final class Spawning {
  private final Instant at;
  private final CommitEvents commit;
  private final Ledgers ledgers;
  private final Map<OperationId, Integer> children = new HashMap<>();
  private final Set<OperationId> leftOpen = new HashSet<>(0);
  private final Map<OperationId, DimensionalAddress> adjacent = new HashMap<>();

  /** Whether the program has said all that the messages ask for that it knows of. */
  private final boolean whole;

  /** Operations that no message asks for: the trigger's, or those of a program that was changed. */
  private int uncaused;

  Spawning(Instant at, CommitEvents commit, Ledgers ledgers, Wishes wishes) {
    this.at = at;
    this.commit = commit;
    this.ledgers = ledgers;
    this.whole = !wishes.goesOn();
    Set<OperationId> passing = new HashSet<>(0);
    for (Wish wish : wishes.wishes())
      if (wish instanceof Wish.LeaveOpen(OperationId id)) leftOpen.add(id);
      else if (wish instanceof Wish.Schedule asked) count(asked, passing);
  }

  /**
   * Counts a wish. Wishes of an answer in portions count without their message, until the last
   * portion, with which the message counts. A message whose operation stays open counts with the
   * first portion.
   */
  private void count(Wish.Schedule asked, Set<OperationId> passing) {
    if (asked.spec() instanceof Recorded) passing.add(asked.operation());
    Optional<OperationId> cause = asked.cause();
    boolean counts =
        cause.isPresent()
            && (leftOpen.contains(cause.get())
                || whole && (passing.contains(cause.get()) || commit.isAnswered(cause.get())));
    if (counts) children.merge(cause.get(), 1, Integer::sum);
    else uncaused++;
  }

  /** The messages that the program has answered, in the order in which they came. */
  void answered(Set<OperationId> untold) {
    List<OperationId> told = new ArrayList<>(commit.answered());
    told.removeAll(untold);
    if (!whole) told.retainAll(leftOpen);
    for (OperationId id : told) spawn(id, leftOpen.contains(id));
  }

  /** What no message asks for. */
  void uncaused(boolean publishes, long threshold) {
    if (publishes && whole) {
      int children = Math.toIntExact(ledgers.open()) + uncaused;
      commit.add(new Event.Published(at, ledgers.publish(children, threshold)));
    } else if (uncaused > 0)
      commit.add(new Event.CodeRevised(at, ledgers.onRun(uncaused, Parent.STAYS_OPEN)));
  }

  private void spawn(OperationId id, boolean staysOpen) {
    adjacent.put(id, adjacentOf(id));
    spawn(id, children.getOrDefault(id, 0), staysOpen ? Parent.STAYS_OPEN : Parent.CLOSES);
  }

  /** The program will not answer this message any more: it counts as asking for nothing. */
  void discharge(OperationId id) {
    spawn(id, 0, Parent.CLOSES);
  }

  private void spawn(OperationId id, int count, Parent parent) {
    Operation operation = commit.find(id).orElseThrow();
    GuidLedger guid = operation.guid();
    Operation entered = entered(operation);
    // A message of Leg1 has no ordinal, and a cycle's enters its ancestor there, too.
    Leg leg = guid.ordinal() == 0 || entered != operation ? Leg.LEG1 : Leg.LEG2;
    Digits digits = ledgers.spawned(entered, leg, guid, count, parent);
    commit.add(new Event.Spawned(at, id, parent, digits));
  }

  /** The activity that the operation's message entered: a cycle's entered its ancestor. */
  private Operation entered(Operation operation) {
    return operation.spec() instanceof Cycle(OperationId pivot)
        ? commit.pivot(pivot).orElseThrow()
        : operation;
  }

  private DimensionalAddress adjacentOf(OperationId cause) {
    DimensionalAddress here = adjacent.get(cause);
    if (here != null) return here;
    Operation operation = commit.find(cause).orElseThrow();
    return entered(operation).place().adjacent(operation.guid().dimension());
  }

  void schedule(Wish.Schedule asked) {
    OperationId id = asked.operation();
    Place place = place(asked);
    switch (asked.spec()) {
      case Value(Payload value) -> {
        Digits digits = ledgers.passing(place.kind());
        commit.add(new Event.ValueRecorded(at, id, value, digits, place));
        if (whole) spawn(id, false);
      }
      case Cycle(OperationId pivot) -> {
        Operation ancestor = commit.pivot(pivot).orElseThrow();
        Digits digits = ledgers.reentered(ancestor);
        commit.add(
            new Event.Reentered(
                at,
                id,
                pivot,
                Ledgers.scheduled(ActivityKind.CYCLE),
                place,
                unreachable(ancestor),
                digits));
        if (whole) spawn(id, false);
      }
      case Attempted spec -> scheduled(id, spec, place);
      case Awaited spec -> scheduled(id, spec, place);
      case Delivered spec -> scheduled(id, spec, place);
    }
  }

  private void scheduled(OperationId id, OperationSpec spec, Place place) {
    commit.add(new Event.Scheduled(at, id, spec, Ledgers.scheduled(place.kind()), place));
  }

  private Place place(Wish.Schedule asked) {
    Place usual = Place.usual(asked.spec().kind());
    Optional<OperationId> cause = asked.cause();
    if (cause.isEmpty() && asked.activity() == usual.kind()) return usual;
    DimensionalAddress address = cause.map(this::adjacentOf).orElse(Place.TOP);
    return new Place(asked.activity(), address, cause);
  }

  /**
   * Ancestors in the planes below one that is entered again, which nothing open stands below any
   * more: no cycle can come back to them. What this commit opens does not matter, because it opens
   * nothing below an ancestor that nothing open stood below before.
   */
  private List<OperationId> unreachable(Operation entered) {
    List<OperationId> all = new ArrayList<>(0);
    int depth = entered.place().address().depth();
    for (Operation pivot : commit.pivotsBefore())
      if (pivot.place().address().depth() > depth
          && isBelow(pivot.place().address(), entered.place().address())
          && !commit.isOpenBefore(one -> isBelow(one.place().address(), pivot.place().address())))
        all.add(pivot.id());
    return all;
  }

  /** Whether one stands below the other, in whichever of its planes. */
  static boolean isBelow(DimensionalAddress one, DimensionalAddress other) {
    String plane = other.path().substring(0, other.path().lastIndexOf(',') + 1);
    return one.path().startsWith(plane)
        && one.path().indexOf(',', plane.length()) >= 0
        && one.depth() > other.depth();
  }

  /** The operations that were answered and stay open for their next message. */
  List<Operation> waitAgain() {
    List<Operation> again = new ArrayList<>(leftOpen.size());
    for (OperationId id : leftOpen)
      commit.find(id).filter(one -> one.phase() == OperationPhase.WAITING).ifPresent(again::add);
    return again;
  }
}
