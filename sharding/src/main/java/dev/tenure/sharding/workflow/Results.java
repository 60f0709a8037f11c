package dev.tenure.sharding.workflow;

import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Sizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Results that come in from other threads. What comes while the owner commits is there, all of it,
 * when it looks next, and goes into one commit. It is bounded by the operations that are open.
 */
final class Results {
  /** More than that wait for the next commit, so that no commit grows without bound. */
  static final int PER_COMMIT_MAX = 1_000;

  /** Nor do more bytes than that, but for one that is larger by itself. */
  static final long BYTES_PER_COMMIT = 2 * 1024 * 1024;

  private final Queue<Command> queue = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean told = new AtomicBoolean();
  private final Runnable tell;

  /**
   * @param tell lets the owner know that it should look
   */
  Results(Runnable tell) {
    this.tell = tell;
  }

  void add(Command result) {
    queue.add(result);
    if (told.compareAndSet(false, true)) tell.run();
  }

  /** Everything that is there, up to the limit. */
  List<Command> take() {
    told.set(false);
    List<Command> taken = new ArrayList<>();
    long bytes = 0;
    while (taken.size() < PER_COMMIT_MAX && bytes < BYTES_PER_COMMIT) {
      Command one = queue.poll();
      if (one == null) return taken;
      taken.add(one);
      bytes += bytes(one);
    }
    if (!queue.isEmpty() && told.compareAndSet(false, true)) tell.run();
    return taken;
  }

  /** What is left when its owner ends. */
  List<Command> rest() {
    List<Command> rest = new ArrayList<>();
    for (Command one = queue.poll(); one != null; one = queue.poll()) rest.add(one);
    return rest;
  }

  /** What it consists of, when it can be decided one after the other. */
  static List<Command> parts(Command command) {
    return switch (command) {
      case Command.Several(List<Command> all) when all.size() > 1 -> all;
      case Command.Signals(List<Command.Arrival> all) when all.size() > 1 ->
          List.of(
              new Command.Signals(all.subList(0, all.size() / 2)),
              new Command.Signals(all.subList(all.size() / 2, all.size())));
      case Command other -> List.of();
    };
  }

  private static long bytes(Command command) {
    return switch (command) {
      case Command.AttemptEnded ended -> Sizes.bytesMax(ended.outcome());
      case Command.ChildEnded ended -> Sizes.bytesMax(ended.outcome());
      case Command.MessageAcknowledged acknowledged -> Sizes.bytesMax(acknowledged.outcome());
      case Command.Signals(List<Command.Arrival> all) -> {
        long bytes = 0;
        for (Command.Arrival one : all) bytes += one.payload().size();
        yield bytes;
      }
      case Command other -> 0;
    };
  }
}
