package dev.tenure.sharding.recovery;

import dev.tenure.persistence.recovery.Recoveries;
import dev.tenure.persistence.recovery.Recovery;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets suspects go on, one group after the other. The store records that a group is tried before
 * its first workflow goes on. So when the node is lost, the next holder of the shard knows which
 * group was being tried.
 */
public final class Trials {
  private static final Logger log = LoggerFactory.getLogger(Trials.class);

  /** How long a group is tried. Most workflows that take their node down do so within this time. */
  public static final Duration TRIAL = Duration.ofSeconds(3);

  /** How often {@link #look} is to be called. */
  public static final Duration LOOK_EVERY = Duration.ofMillis(100);

  private final Suspects suspects;
  private final Recoveries recoveries;
  private final IntPredicate held;
  private final Consumer<WorkflowId> wake;
  private final LongSupplier nanoTime;
  private List<Recovery> group = List.of();
  private long since;
  private int outlived;

  /**
   * @param held whether this node still holds a shard
   * @param wake brings a workflow into memory, or tells it that it may go on
   */
  public Trials(
      Suspects suspects,
      Recoveries recoveries,
      IntPredicate held,
      Consumer<WorkflowId> wake,
      LongSupplier nanoTime) {
    this.suspects = suspects;
    this.recoveries = recoveries;
    this.held = held;
    this.wake = wake;
    this.nanoTime = nanoTime;
  }

  /** Whether no workflow has to be tried, nor will have to unless another node is lost. */
  public boolean isIdle() {
    return group.isEmpty() && !suspects.areToBeTried(held);
  }

  /** Ends the trial that is over and begins the next. Blocks; must not be called twice at once. */
  public void look() {
    if (isIdle()) {
      outlived = 0;
      return;
    }
    try {
      if (!group.isEmpty() && !isOver()) return;
      end();
      begin();
    } catch (StorageException e) {
      log.warn("suspects wait until the store can be reached again: {}", e.getMessage());
    } catch (RuntimeException | Error e) {
      // What is thrown here ends the looks, and leaves the suspects waiting.
      log.error("a trial failed, and is made again", e);
    }
  }

  /** All of the group made progress, or its time is over. */
  private boolean isOver() {
    return nanoTime.getAsLong() - since >= TRIAL.toNanos()
        || group.stream().noneMatch(one -> suspects.isKnown(one.workflow()));
  }

  private void end() {
    if (group.isEmpty()) return;
    recoveries.outlived(group);
    outlived += group.size();
    group = List.of();
  }

  private void begin() {
    int size = Suspicion.groupSize(outlived);
    List<Recovery> next = suspects.next(size, held);
    if (next.isEmpty()) {
      outlived = 0;
      return;
    }
    log.info(
        "{} of the workflows that were at work when nodes were lost go on, after {}: {}",
        next.size(),
        outlived,
        next.size() > 10 ? next.subList(0, 10) : next);
    recoveries.tryTogether(next, next.size());
    group = next;
    since = nanoTime.getAsLong();
    for (Recovery one : next) {
      suspects.tries(one);
      wake.accept(one.workflow());
    }
  }
}
