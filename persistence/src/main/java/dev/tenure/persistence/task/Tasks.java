package dev.tenure.persistence.task;

import dev.tenure.workflow.Payload;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The tasks that wait for workers. Every time here is the database's. Tasks are offered and removed
 * with commits, see {@link dev.tenure.persistence.commit.SideRow.TaskOffered}.
 */
public interface Tasks {
  /** Tasks that one worker can take at once. */
  int TAKE_MAX = 100;

  /** Requests in one call. */
  int MAX_BATCH = 1_000;

  /** How often a task is handed out before a person has to look at it. */
  int DELIVERIES_MAX = 99;

  /**
   * For how long an outcome waits for its owner, who is told of it by a message, before the
   * workflow is made due. A message costs nothing; the change of the workflow's row does.
   */
  Duration TAKEN_WITHIN = Duration.ofSeconds(2);

  /** Throws unless so many requests may come in one call. */
  static void requireBatch(int size) {
    if (size < 0 || size > MAX_BATCH)
      throw new IllegalArgumentException(
          "%d requests at once: use at most %d.".formatted(size, MAX_BATCH));
  }

  /**
   * Workers that ask for tasks of one queue.
   *
   * @param worker how the worker calls itself, for people
   * @param activities which activities it can run; all when empty
   * @param max how many tasks it wants, 1 to {@link #TAKE_MAX}
   */
  record Poll(String worker, Set<String> activities, int max) {
    public Poll {
      activities = Set.copyOf(activities);
    }
  }

  /**
   * Takes tasks of a queue for these workers, in one transaction; answer {@code i} is for poll
   * {@code i}. A higher priority comes first; among tasks of one priority the fairness keys take
   * turns; of one key the oldest comes first. No more are taken than the limits of their resources
   * allow in the whole cluster. Each task is with one worker at a time.
   *
   * @param secrets makes the secret of a token
   */
  List<List<TakenTask>> take(String queue, List<Poll> polls, Secrets secrets);

  /** Makes what nobody can guess. */
  @FunctionalInterface
  interface Secrets {
    String next();
  }

  /** What a worker says of a task that it has. */
  sealed interface Report {
    TaskToken token();

    /** It is alive, and wants the task for so long from now on. */
    record Alive(TaskToken token, Optional<Duration> extension, Optional<Payload> details)
        implements Report {}

    /** It came out. */
    record Ended(TaskToken token, Outcome outcome) implements Report {}

    /** The worker gives it back without having begun it. */
    record Returned(TaskToken token) implements Report {}
  }

  /** What became of a report. */
  sealed interface Heard {
    /** The worker has the task until then. */
    record Until(Instant until) implements Heard {}

    /** The outcome is durable. A repetition of the same report gets the same answer. */
    record Recorded() implements Heard {}

    /** The worker does not have the task, and the report changed nothing. */
    record Rejected(Why why) implements Heard {}

    /** Why a token is of no use. */
    enum Why {
      /** There is no such task: the workflow took its outcome, or does not want it any more. */
      GONE,
      /** The worker was silent for too long, and the task is, or was, with another one. */
      EXPIRED,
      /** The task came out with another outcome. */
      ENDED,
      /** It is none of ours. */
      FORGED
    }
  }

  /** Takes the reports in one transaction; answer {@code i} is for report {@code i}. */
  List<Heard> hear(List<Report> reports);

  /** For each id, how its task stands; empty when there is none. */
  List<Optional<TaskStanding>> standing(List<TaskId> ids);

  /**
   * Hands a task out again that is lost as it was found: it is known that it had no effect. When a
   * worker had it, that counts as a loss. False when it is not lost, or was lost once more: what is
   * known of the first loss says nothing of what its worker did afterwards.
   */
  boolean offerAgain(TaskId id, TaskStanding.Lost found);

  /**
   * Ends a task that is lost as it was found with what its owner has concluded. A task of which its
   * worker has spoken since is left alone: an outcome that was accepted is never replaced, and a
   * report that comes afterwards is refused. When this returns, the answer is how the task stands;
   * empty when there is none. Repeating it is safe.
   */
  Optional<TaskStanding> endLost(TaskId id, TaskStanding.Lost found, Outcome conclusion);

  /**
   * Puts a task into its queue that a commit did not bring. One of the same attempt, or of a later
   * one, is left alone.
   */
  void offer(TaskOffer offer);

  /**
   * Of the tasks whose time is over, at most so many. Those whose workers are silent for too long
   * are handed out again when they are repeatable, and count as lost otherwise. Those that came too
   * often, whose deadline is over or whose attempt takes too long come out as failed; one that must
   * not be repeated counts as lost then. The workflow of an outcome that its owner has not taken
   * for {@link #TAKEN_WITHIN} is made due. Returns the ids of those whose workflows have to look;
   * these are due.
   */
  Expired expire(int limit);

  /**
   * @param again the queues that have tasks again
   */
  record Expired(List<TaskId> look, Set<String> again) {}

  /** Of these queues, those that have a task which a worker may take now. */
  Set<String> withWork(Set<String> queues);

  /** What people see of a queue; counts above {@link #COUNT_MAX} are cut. */
  QueueView view(String queue, int keys);

  int COUNT_MAX = 100_000;

  /** The queues that have tasks, by name. */
  List<String> queues(int limit);

  /** How many tasks of its queue are before it; empty when it does not wait. */
  Optional<Long> position(TaskId id);

  /**
   * @param keys of the fairness keys with most waiting tasks
   */
  record QueueView(
      long waiting, long taken, long lost, Optional<Instant> oldest, List<KeyView> keys) {}

  record KeyView(String key, long waiting, long taken) {}
}
