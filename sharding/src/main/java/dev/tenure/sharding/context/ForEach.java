package dev.tenure.sharding.context;

import dev.tenure.sharding.branch.BranchHandle;
import dev.tenure.sharding.branch.OperationIdSequence;
import dev.tenure.sharding.branch.PendingResult;
import dev.tenure.sharding.branch.WorkflowThread;
import dev.tenure.workflow.ItemBody;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Runs a branch for each item, and no more than a given number at a time. */
final class ForEach<I, O> {
  /** The name of the branches; the items' keys tell them apart. */
  private static final String NAME = "each";

  private final WorkflowThread me;
  private final List<I> items;
  private final List<String> keys;
  private final int limit;
  private final ItemBody<? super I, ? extends O, ?> body;
  private final Object[] results;
  private final Deque<Item> done = new ArrayDeque<>();

  /** One item whose branch runs. */
  private final class Item implements PendingResult.Waiter {
    private final int index;
    private final BranchHandle<O> branch;

    private Item(int index) {
      this.index = index;
      I item = items.get(index);
      this.branch =
          BranchHandle.start(
              me,
              me.ids.branch(OperationIdSequence.keyed(NAME, keys.get(index))),
              () -> body.run(item));
      branch.addWaiting(this);
    }

    @Override
    public void done(PendingResult<?> awaited) {
      done.add(this);
      me.done(awaited);
    }
  }

  ForEach(
      WorkflowThread me,
      Collection<? extends I> items,
      int limit,
      Function<? super I, String> key,
      ItemBody<? super I, ? extends O, ?> body) {
    if (limit < 1)
      throw new IllegalArgumentException(
          "forEach with a limit of %d: at least one item has to be in work.".formatted(limit));
    this.me = me;
    this.items = new ArrayList<>(items);
    this.keys = new ArrayList<>(items.size());
    this.limit = limit;
    this.body = body;
    this.results = new Object[items.size()];
    Set<String> seen = new HashSet<>();
    for (I item : this.items) {
      String one = key.apply(item);
      if (one == null)
        throw new IllegalArgumentException("forEach got no key for item " + item + ".");
      if (!seen.add(one))
        throw new IllegalArgumentException(
            "forEach got two items with the key \"%s\": their results could not be told apart."
                .formatted(one));
      keys.add(one);
    }
  }

  /** Runs the branches in a block of its own: the first failure cancels those that still run. */
  List<O> run() {
    return me.in(me.scope.within(), this::results);
  }

  @SuppressWarnings("unchecked")
  private List<O> results() {
    me.scope.throwIfCancelled();
    int begun = 0;
    int inWork = 0;
    while (begun < results.length || inWork > 0) {
      while (begun < results.length && inWork < limit) {
        new Item(begun++);
        inWork++;
      }
      me.awaitTold(() -> !done.isEmpty());
      for (Item item = done.poll(); item != null; item = done.poll()) {
        inWork--;
        results[item.index] = item.branch.get();
      }
    }
    return (List<O>) Arrays.asList(results);
  }
}
