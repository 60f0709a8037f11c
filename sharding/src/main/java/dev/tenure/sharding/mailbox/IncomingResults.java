package dev.tenure.sharding.mailbox;

import dev.tenure.persistence.signal.Signal;
import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Sizes;
import dev.tenure.workflow.operation.OperationId;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Results that arrive from other threads. All that arrive while the owner commits go into one
 * commit. Their number is bounded by the open operations.
 */
public final class IncomingResults {
  /** The bytes of an event without its payload: integers, times, kinds and lengths. */
  private static final long FRAME_BYTES = 64;

  /** The recorded bytes of a signal without its payload: its wait and its position. */
  private static final long SIGNAL_BYTES =
      FRAME_BYTES
          + OperationId.BYTES_MAX
          + Signal.MAX_NAME_BYTES
          + Signal.MAX_ID_BYTES
          + FRAME_BYTES; // its trace

  final OwnerLimits limits;
  private final Queue<Command> queue = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean told = new AtomicBoolean();
  private final Runnable tell;

  /**
   * @param tell tells the owner that results have come
   */
  public IncomingResults(OwnerLimits limits, Runnable tell) {
    this.limits = limits;
    this.tell = tell;
  }

  public void add(Command result) {
    queue.add(result);
    if (told.compareAndSet(false, true)) tell.run();
  }

  /**
   * Takes all results, up to what one commit holds. The code learns all of them before the commit
   * is made, so none can be left out of the commit afterwards.
   */
  public List<Command> take() {
    told.set(false);
    List<Command> taken = new ArrayList<>();
    long bytes = 0;
    while (taken.size() < limits.resultsPerCommit()) {
      Command next = queue.peek();
      if (next == null) return taken;
      bytes += bytesMax(next);
      if (bytes > limits.resultBytesPerCommit() && !taken.isEmpty()) break;
      taken.add(queue.poll());
    }
    if (!queue.isEmpty() && told.compareAndSet(false, true)) tell.run();
    return taken;
  }

  /** The results as one command, decided in this order. */
  public static Command together(List<Command> all) {
    return all.size() == 1 ? all.getFirst() : new Command.Several(all);
  }

  /** The results that are left when the owner ends. */
  public List<Command> rest() {
    List<Command> rest = new ArrayList<>();
    for (Command one = queue.poll(); one != null; one = queue.poll()) rest.add(one);
    return rest;
  }

  /** The most that the result adds to a commit; values that are kept apart count in full. */
  private static long bytesMax(Command command) {
    return switch (command) {
      case Command.AttemptEnded ended ->
          bytesMax(ended.operation()) + Sizes.bytesMax(ended.outcome());
      case Command.ChildEnded ended ->
          bytesMax(ended.operation()) + Sizes.bytesMax(ended.outcome());
      case Command.MessageAcknowledged acknowledged ->
          bytesMax(acknowledged.operation()) + Sizes.bytesMax(acknowledged.outcome());
      case Command.ChildAcknowledged(OperationId operation) -> bytesMax(operation);
      case Command.Signals(List<Command.Arrival> all) -> {
        long bytes = 0;
        for (Command.Arrival one : all) bytes += SIGNAL_BYTES + one.payload().size();
        yield bytes;
      }
      case Command.NoSignal(List<OperationId> waits) -> {
        long bytes = 0;
        for (OperationId wait : waits)
          bytes += bytesMax(wait) + FRAME_BYTES + Signal.MAX_NAME_BYTES;
        yield bytes;
      }
      case Command.Begins _, Command.Order _, Command.OfOwner _ -> FRAME_BYTES;
    };
  }

  private static long bytesMax(OperationId operation) {
    return FRAME_BYTES + 3L * operation.value().length();
  }
}
