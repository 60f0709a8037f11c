package dev.tenure.sharding.workflow;

import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.workflow.Workflows.Ended;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Waits for the end of runs, round by round, so that an owner knows who still waits. */
final class RunResults {
  /**
   * How many runs are remembered with the first run of their start, and how many as missing; the
   * oldest entries are removed first.
   */
  private static final int KNOWN_MAX = 1_000;

  /** The pause before an owner that answered "again" is asked again. */
  private static final Duration PAUSE = Duration.ofMillis(20);

  private record Run(WorkflowId id, String runId) {}

  private final Host host;

  /**
   * The first run of the start that a run came of. It never changes, and the owner knows that run.
   * So a client that asks again for a later run does not read the whole journal again.
   */
  private final Map<Run, String> firstRuns = newest();

  /**
   * How far the journal was read for a run that it does not have. When the client asks again, only
   * the newer rows are read.
   */
  private final Map<Run, RunEnds.Read> missing = newest();

  private static <V> Map<Run, V> newest() {
    return Collections.synchronizedMap(
        new LinkedHashMap<>() {
          @Override
          protected boolean removeEldestEntry(Map.Entry<Run, V> eldest) {
            return size() > KNOWN_MAX;
          }
        });
  }

  RunResults(Host host) {
    this.host = host;
  }

  CompletionStage<Optional<Ended>> of(WorkflowId id, Optional<String> runId, Duration wait) {
    Optional<String> known = runId.map(asked -> firstRuns.getOrDefault(new Run(id, asked), asked));
    return of(id, known, host.nanos.getAsLong() + wait.toNanos());
  }

  private CompletionStage<Optional<Ended>> of(
      WorkflowId id, Optional<String> runId, long deadline) {
    long left = deadline - host.nanos.getAsLong();
    if (left <= 0) return CompletableFuture.completedStage(Optional.empty());
    Duration round = Duration.ofNanos(Math.min(left, WorkflowSettings.WAIT_ROUND.toNanos()));
    return host.transport
        .ask(id, replyTo -> new Message.AwaitEnd(runId, replyTo), round)
        .handle(
            (answer, failure) ->
                switch (answer) {
                  case Answer.Ended(Status status, Outcome outcome) ->
                      CompletableFuture.completedStage(Optional.of(new Ended(status, outcome)));
                  case Answer.Unknown unknown ->
                      CompletableFuture.<Optional<Ended>>failedStage(
                          new WorkflowError.NotFound(id));
                  case Answer.AnotherRun(String current) ->
                      ofEarlierRun(id, runId.orElse(current), current, deadline);
                  // The run has not ended, or its shard is moving.
                  case null -> of(id, runId, deadline);
                  // Asked at once, the owner would give the same answer.
                  case Answer.Again(String why) ->
                      pause(id, why).thenCompose(over -> of(id, runId, deadline));
                  case Answer.Busy busy ->
                      CompletableFuture.<Optional<Ended>>failedStage(Refusals.refusal(id, answer));
                  case Answer.Said _,
                      Answer.Queried _,
                      Answer.Described _,
                      Answer.Updated _,
                      Answer.NotNow _ ->
                      of(id, runId, deadline);
                })
        .thenCompose(stage -> stage);
  }

  private CompletionStage<Boolean> pause(WorkflowId id, String why) {
    CompletableFuture<Boolean> over = host.futures.make();
    host.timers.after(
        PAUSE,
        () -> over.complete(true),
        () -> over.completeExceptionally(new WorkflowError.Unreachable(id, why)));
    return over;
  }

  private CompletionStage<Optional<Ended>> ofEarlierRun(
      WorkflowId id, String runId, String current, long deadline) {
    Run run = new Run(id, runId);
    RunEnds.Read before = missing.getOrDefault(run, RunEnds.Read.NOTHING);
    return host.reading(() -> new RunEnds(host.storage, id, before).find(runId))
        .thenCompose(
            found ->
                switch (found) {
                  case RunEnds.Found.EndedAs(Ended ended) ->
                      CompletableFuture.completedStage(Optional.of(ended));
                  case RunEnds.Found.Newest(String firstRunId) -> {
                    firstRuns.put(run, firstRunId);
                    yield of(id, Optional.of(current), deadline);
                  }
                  case RunEnds.Found.None(RunEnds.Read read) -> {
                    missing.put(run, read);
                    yield CompletableFuture.failedStage(new WorkflowError.NoSuchRun(id, runId));
                  }
                });
  }
}
