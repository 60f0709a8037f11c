package dev.tenure.sharding.task;

import dev.tenure.persistence.merging.MergingQueue;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.task.TakenTask;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * The calls of a node: what comes while one is under way makes up the next one. The polls of one
 * queue make up one {@link Tasks#take}, and no two of these are under way at once on this node.
 */
public final class MergedTaskCalls implements TaskCalls {
  /** Tasks that the polls of one call may want; more polls make up another call. */
  static final int TAKEN_MAX = 1_000;

  /** Reports that may wait in each lane. */
  static final int REPORTS_MAX = 20_000;

  /** Payloads in one call. */
  private static final long REPORT_BYTES_MAX = 8L * 1024 * 1024;

  private static final int LANES = 2;

  /** While fewer reports wait, one call at a time carries all of them. */
  private static final int REPORTS_SPREAD_ABOVE = 100;

  /** For how long the outcome of a report is asked for. */
  private static final Duration RESOLVING = Duration.ofSeconds(8);

  private record Take(String queue, Tasks.Poll poll) {}

  /**
   * What became of one take; those of other queues in the same call are not touched by a failure.
   */
  private sealed interface Took {
    record Some(List<TakenTask> tasks) implements Took {}

    record Failed(RuntimeException failure) implements Took {}
  }

  private final Tasks tasks;
  private final Tasks.Secrets secrets;
  private final MergingQueue<Take, Took> takes;
  private final MergingQueue<Tasks.Report, Tasks.Heard> reports;

  public MergedTaskCalls(Tasks tasks, Tasks.Secrets secrets) {
    this.tasks = tasks;
    this.secrets = secrets;
    this.takes =
        new MergingQueue<>(
            "tenure-task-takes",
            // Not made again: a second take would take other tasks, and nobody has the first.
            new MergingQueue.Limits(
                Tasks.MAX_BATCH, TaskDesk.Limits.DEFAULT.polls(), Duration.ZERO, LANES, 0),
            new Takes());
    this.reports =
        new MergingQueue<>(
            "tenure-task-reports",
            new MergingQueue.Limits(
                Tasks.MAX_BATCH, REPORTS_MAX, RESOLVING, LANES, REPORTS_SPREAD_ABOVE),
            new Reports());
  }

  @Override
  public CompletionStage<List<TakenTask>> take(String queue, Tasks.Poll poll) {
    return takes
        .ask(new Take(queue, poll))
        .thenApply(
            took ->
                switch (took) {
                  case Took.Some(List<TakenTask> some) -> some;
                  case Took.Failed(RuntimeException failure) -> throw failure;
                });
  }

  @Override
  public CompletionStage<Tasks.Heard> hear(Tasks.Report report) {
    return reports.ask(report);
  }

  @Override
  public void close() {
    takes.close();
    reports.close();
  }

  private final class Takes implements MergingQueue.Work<Take, Took> {
    @Override
    public List<Took> call(List<Take> all) {
      Map<String, List<Integer>> byQueue = new LinkedHashMap<>();
      for (int i = 0; i < all.size(); i++)
        byQueue.computeIfAbsent(all.get(i).queue, key -> new ArrayList<>()).add(i);
      Took[] answers = new Took[all.size()];
      byQueue.forEach(
          (queue, places) -> {
            List<Took> took = take(queue, places.stream().map(i -> all.get(i).poll).toList());
            for (int i = 0; i < places.size(); i++) answers[places.get(i)] = took.get(i);
          });
      return List.of(answers);
    }

    private List<Took> take(String queue, List<Tasks.Poll> polls) {
      try {
        List<Took> took = new ArrayList<>(polls.size());
        for (List<TakenTask> some : tasks.take(queue, polls, secrets))
          took.add(new Took.Some(some));
        if (took.size() != polls.size())
          throw new IllegalStateException(
              "the storage answered %d of %d polls".formatted(took.size(), polls.size()));
        return took;
      } catch (RuntimeException failure) {
        return polls.stream().<Took>map(poll -> new Took.Failed(failure)).toList();
      }
    }

    @Override
    public MergingQueue.Room<Take> room() {
      return new MergingQueue.Room<>() {
        private int wanted;

        @Override
        public boolean takes(Take take) {
          wanted += take.poll.max();
          return wanted <= TAKEN_MAX;
        }
      };
    }

    @Override
    public int lane(Take take) {
      return Math.floorMod(take.queue.hashCode(), LANES);
    }

    @Override
    public Took unknown(Take take, Throwable cause) {
      throw unanswered("the take", cause);
    }

    @Override
    public RuntimeException notTaken() {
      return new TaskDeskBusyError(
          "POLLS_MAX", TaskDesk.Limits.DEFAULT.polls(), "polls that wait for the database");
    }
  }

  private final class Reports implements MergingQueue.Work<Tasks.Report, Tasks.Heard> {
    @Override
    public List<Tasks.Heard> call(List<Tasks.Report> all) {
      return tasks.hear(all);
    }

    @Override
    public MergingQueue.Room<Tasks.Report> room() {
      return new MergingQueue.Room<>() {
        private long bytes;

        @Override
        public boolean takes(Tasks.Report report) {
          bytes += bytes(report);
          return bytes <= REPORT_BYTES_MAX;
        }
      };
    }

    private static long bytes(Tasks.Report report) {
      return switch (report) {
        case Tasks.Report.Ended(var token, Outcome.Succeeded(var value)) -> value.size();
        case Tasks.Report.Ended ended -> 0;
        case Tasks.Report.Alive alive -> alive.details().map(value -> value.size()).orElse(0);
        case Tasks.Report.Returned returned -> 0;
      };
    }

    /** One report that the storage cannot take must not fail those that share its call. */
    @Override
    public boolean isRefusal(RuntimeException failure) {
      return !(failure instanceof StorageException.Unavailable)
          && !(failure instanceof StorageException.OutcomeUnknown);
    }

    /** Reports on one task keep their order. */
    @Override
    public int lane(Tasks.Report report) {
      return Math.floorMod(report.token().id().hashCode(), LANES);
    }

    @Override
    public Tasks.Heard unknown(Tasks.Report report, Throwable cause) {
      throw unanswered("the report", cause);
    }

    @Override
    public RuntimeException notTaken() {
      return new TaskDeskBusyError(
          "REPORTS_MAX", REPORTS_MAX, "reports that wait for the database");
    }
  }

  private static RuntimeException unanswered(String what, Throwable cause) {
    return cause instanceof RuntimeException failure
        ? failure
        : new StorageException.OutcomeUnknown(what + " of a worker was not answered", cause);
  }
}
