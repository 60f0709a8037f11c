package dev.tenure.workflow.kernel;

import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a program wants next, in the order it asked.
 *
 * @param goesOn whether more of the same answer follows in the next commit
 */
public record Wishes(List<Wish> wishes, boolean goesOn) {
  public static final Wishes NONE = new Wishes(List.of());

  /** The program has not been asked: it is not in memory, or is asked later. */
  public static final Wishes UNASKED = new Wishes(List.of(), true);

  public Wishes {
    wishes = isLeavingOpen(wishes) ? leavingOpenFirst(wishes) : List.copyOf(wishes);
  }

  private static boolean isLeavingOpen(List<Wish> wishes) {
    for (Wish wish : wishes) if (wish instanceof Wish.LeaveOpen) return true;
    return false;
  }

  /**
   * What stays open is known before what is asked for, also where one commit does not hold all.
   * What is given up in the same breath does not stay open: its message discharges it.
   */
  private static List<Wish> leavingOpenFirst(List<Wish> wishes) {
    Set<OperationId> givenUp = new HashSet<>(0);
    for (Wish wish : wishes)
      if (wish instanceof Wish.Abandon abandon) givenUp.add(abandon.operation());
    List<Wish> all = new ArrayList<>(wishes.size());
    for (Wish wish : wishes)
      if (wish instanceof Wish.LeaveOpen(OperationId id) && !givenUp.contains(id)) all.add(wish);
    for (Wish wish : wishes) if (!(wish instanceof Wish.LeaveOpen)) all.add(wish);
    return List.copyOf(all);
  }

  /** Where a portion of so many ends: those that leave something open are never parted. */
  private int end(int count) {
    int at = Math.min(count, size());
    while (at < size() && wishes.get(at) instanceof Wish.LeaveOpen) at++;
    return at;
  }

  public Wishes(List<Wish> wishes) {
    this(wishes, false);
  }

  public static Wishes of(Wish... wishes) {
    return new Wishes(List.of(wishes));
  }

  /** An activity with a key that is asked for; empty when there is none. */
  public Optional<String> keyedCall() {
    for (Wish wish : wishes)
      if (wish instanceof Wish.Schedule asked
          && asked.spec() instanceof OperationSpec.Activity one
          && one.isKeyed()) return Optional.of(one.activity());
    return Optional.empty();
  }

  public boolean isEmpty() {
    return wishes.isEmpty();
  }

  public int size() {
    return wishes.size();
  }

  /** The first so many, with what the job of a graph comes out with if they close it. */
  public Wishes first(int count) {
    int end = end(count);
    if (end == size()) return this;
    List<Wish> some = new ArrayList<>(wishes.subList(0, end));
    for (int at = size() - 1; at >= end; at--)
      if (wishes.get(at) instanceof Wish.EndIfClosed) {
        some.add(wishes.get(at));
        break;
      }
    return new Wishes(some, true);
  }

  /** All but the first so many. */
  public Wishes after(int count) {
    int end = end(count);
    return end == size() ? NONE : new Wishes(wishes.subList(end, size()), goesOn);
  }

  /** The last one alone. */
  Wishes last() {
    return new Wishes(wishes.subList(size() - 1, size()), goesOn);
  }

  /**
   * With what was asked for later. A program that has ended asks only for signals to be given back,
   * and its end stays the last wish.
   */
  public Wishes then(Wishes more) {
    if (isEmpty()) return more;
    if (more.isEmpty()) return this;
    List<Wish> all = new ArrayList<>(wishes);
    all.addAll(endsRun() ? all.size() - 1 : all.size(), more.wishes);
    return new Wishes(all, more.goesOn);
  }

  /** Whether the last of them ends the run. */
  boolean endsRun() {
    return !isEmpty() && wishes.getLast().endsRun();
  }
}
