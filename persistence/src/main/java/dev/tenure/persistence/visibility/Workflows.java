package dev.tenure.persistence.visibility;

import dev.tenure.workflow.WorkflowId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The rows of workflows, as commits left them: what is committed is seen by every later call. */
public interface Workflows {
  /** More workflows than that wait for the next scan. */
  int MAX_WAKE_ROWS = 10_000;

  /** Nothing is counted further than that; an estimate must do. */
  int MAX_COUNT = 1_000_000;

  /** For how many months ahead {@link #makeMonthsAhead} looks. */
  int MONTHS_AHEAD = 3;

  /** The row of a workflow, whether it is open or closed. */
  Optional<WorkflowRow> find(WorkflowId id);

  /**
   * The workflows that match, those that started last first. A workflow that does not change is on
   * exactly one page, also when others start or change between two pages.
   */
  Page<WorkflowRow> list(WorkflowFilter filter, PageRequest page);

  /** How many match, exactly, up to the cap; one more than the cap when there are more. */
  long count(WorkflowFilter filter, int cap);

  /**
   * How many open workflows there are of each type, version and status: which versions still have
   * runs, and which are blocked because no node serves them. It looks at every open workflow.
   */
  List<RunCount> openRuns();

  /**
   * Which shards have blocked workflows, and of which types. It looks at every blocked workflow.
   */
  List<BlockedType> blockedTypes();

  /** About how many match, without looking at them. */
  long estimate(WorkflowFilter filter);

  /**
   * What must be awake in these shards, by the store's clock: everything whose work was in flight,
   * whose timer is due or whose signal waits. In pages: the next one starts after the last row of
   * this one. A page may have fewer rows than its limit although more follow; only after an empty
   * one nothing does.
   */
  List<WakeUp> mustBeAwake(Set<Integer> shards, WakeUp.Point after, int limit);

  /**
   * What becomes due in these shards after the point and until the time, in the order in which it
   * does; in pages as those of {@link #mustBeAwake}. A row is seen when its transaction is over,
   * which may be moments after the time in it: a caller that scans repeatedly starts each scan some
   * seconds before the end of the last.
   */
  List<WakeUp> due(Set<Integer> shards, WakeUp.Point after, Instant until, int limit);

  /** For each of these shards the one that becomes due first, however late that is. */
  List<WakeUp> firstDue(Set<Integer> shards);

  /**
   * Makes room for what closes in this month and the next ones, where a store keeps each month
   * apart. Nothing fails without it. Returns how many months were made.
   */
  int makeMonthsAhead();

  /** What every adapter asks of a cap. */
  static void requireValidCap(int cap) {
    if (cap < 1 || cap > MAX_COUNT) {
      throw new IllegalArgumentException(
          "a count up to %d: choose from 1 to %d".formatted(cap, MAX_COUNT));
    }
  }

  /** What every adapter asks of a limit. */
  static void requireValid(int limit) {
    if (limit < 1 || limit > MAX_WAKE_ROWS) {
      throw new IllegalArgumentException(
          "a scan of %d rows: choose from 1 to %d".formatted(limit, MAX_WAKE_ROWS));
    }
  }
}
