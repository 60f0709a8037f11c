package dev.tenure.persistence.retention;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Removes closed workflows: the row, the history, payloads, records of calls, and what else has the
 * workflow's id. Answers to signals stay until they expire, and keys of starts are removed by
 * {@link dev.tenure.persistence.start.StartKeys#purge}.
 */
public interface Removals {
  /** So many rows of journals are removed in one transaction at most. */
  int ROWS_MAX = 20_000;

  /** Where a walk through the closed workflows is. */
  record Place(Instant closedAt, long number) {
    /** Before all of them. */
    public static final Place BEGINNING = new Place(Instant.EPOCH, 0);
  }

  /** Those behind a place that closed before that time, so many at most; the oldest close first. */
  List<ClosedWorkflow> closed(Place after, Instant before, int limit);

  /**
   * Removes these in one transaction, and returns how many. One that was started again since, or is
   * being started, stays. A history of more than {@link #ROWS_MAX} rows is removed later, with
   * {@link #removeLeftHistory}; the workflow is not found any more from now on.
   *
   * @param idKeptFor for how long after its close the id of a workflow means nothing else: a start
   *     of it is refused with {@link dev.tenure.persistence.storage.StorageException.IdRemoved},
   *     and a signal for it finds it closed
   */
  int remove(List<ClosedWorkflow> closed, Duration idKeptFor);

  /** Removes up to {@link #ROWS_MAX} rows of histories that were too long, and returns how many. */
  int removeLeftHistory();

  /** Forgets up to so many ids that may be used again, and returns how many. */
  int forgetIds(int limit);

  /** Gives back the space of months in which nothing is left; returns how many. */
  int dropEmptyMonths();
}
