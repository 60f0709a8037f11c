package dev.tenure.workflow.kernel;

import java.util.ArrayList;
import java.util.List;

/** What a program wants next, in the order it asked. */
public record Wishes(List<Wish> wishes) {
  public static final Wishes NONE = new Wishes(List.of());

  public Wishes {
    wishes = List.copyOf(wishes);
  }

  public static Wishes of(Wish... wishes) {
    return new Wishes(List.of(wishes));
  }

  public boolean isEmpty() {
    return wishes.isEmpty();
  }

  public int size() {
    return wishes.size();
  }

  /** The first so many. */
  public Wishes first(int count) {
    return count >= size() ? this : new Wishes(wishes.subList(0, count));
  }

  /** All but the first so many. */
  public Wishes after(int count) {
    return count >= size() ? NONE : new Wishes(wishes.subList(count, size()));
  }

  public Wishes then(Wishes more) {
    if (more.isEmpty()) return this;
    if (isEmpty()) return more;
    List<Wish> all = new ArrayList<>(wishes);
    all.addAll(more.wishes);
    return new Wishes(all);
  }
}
