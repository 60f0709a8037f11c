package dev.tenure.bench.workflows;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tenure.bench.Bench;
import dev.tenure.bench.activities.ActivitiesBench;
import dev.tenure.bench.failover.FailoverBench;
import dev.tenure.bench.http.HttpBench;
import dev.tenure.bench.store.StoreBench;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Each benchmark runs to its verdict; the figures of a second mean nothing. */
class WorkflowBenchesTest {
  @TempDir private Path folder;

  @Test
  void stepsCostOneCommitEachAndOneForTheStart() throws Exception {
    JsonNode verdict =
        verdict(new StepsBench(), "--rounds", "1", "--in-flight", "8", "--long-steps", "50");

    assertThat(verdict.get("steps_per_s").asDouble()).isPositive();
    assertThat(verdict.get("to_empty_actor").asDouble()).isPositive();
    assertThat(verdict.get("commits_per_step").asDouble()).isBetween(1.0, 1.2);
    assertThat(verdict.get("wal_bytes_per_step").asDouble()).isPositive();
    assertThat(verdict.get("long_to_short_cost").asDouble()).isPositive();
  }

  @Test
  void aWorkflowOfOneStepCostsTwoCommits() throws Exception {
    JsonNode verdict = verdict(new StartsBench(), "--rounds", "1", "--in-flight", "8");

    assertThat(verdict.get("starts_per_s").asDouble()).isPositive();
    assertThat(verdict.get("commits_per_start").asDouble()).isEqualTo(2.0);
    assertThat(verdict.get("alone_to_bare_insert").asDouble()).isPositive();
  }

  @Test
  void everySignalEndsItsWorkflow() throws Exception {
    JsonNode verdict =
        verdict(new SignalsBench(), "--rounds", "1", "--workflows", "50", "--senders", "4");

    assertThat(verdict.get("signals_per_s").asDouble()).isPositive();
    assertThat(verdict.get("commits_per_signal").asDouble()).isEqualTo(1.0);
  }

  @Test
  void sleepersAllWakeUpAndNoneEarly() throws Exception {
    JsonNode verdict =
        verdict(
            new TimersBench(),
            "--sleepers",
            "50",
            "--warmup-sleepers",
            "20",
            "--spread-seconds",
            "1",
            "--margin-seconds",
            "10");

    assertThat(verdict.get("timers_per_s").asDouble()).isPositive();
    assertThat(verdict.get("early").asLong()).isZero();
    assertThat(verdict.get("unfinished").asLong()).isZero();
  }

  @Test
  void runsThatContinueAsNewAreMeasuredBesideStarts() throws Exception {
    JsonNode verdict = verdict(new RenewalsBench(), "--rounds", "1", "--in-flight", "8");

    assertThat(verdict.get("renewals_per_s").asDouble()).isPositive();
    assertThat(verdict.get("to_starts").asDouble()).isPositive();
    assertThat(verdict.get("alone_per_s").asDouble()).isPositive();
    assertThat(verdict.get("alone_to_starts").asDouble()).isPositive();
  }

  @Test
  void parallelStepsShareTheirCommits() throws Exception {
    JsonNode verdict = verdict(new FanOutBench(), "--rounds", "1", "--steps", "50");

    assertThat(verdict.get("steps_per_s").asDouble()).isPositive();
    assertThat(verdict.get("commits_per_step").asDouble()).isBetween(0.001, 0.5);
  }

  @Test
  void whatAKilledNodeHadAtWorkIsMovingAgain() throws Exception {
    List<JsonNode> lines = lines("recovery", "--workflows", "50", "--successor", "restarted");

    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst().get("successor").asText()).isEqualTo("restarted");
    assertThat(lines.getFirst().get("lease_after_kill_s").asDouble()).isPositive();
    assertThat(lines.getFirst().get("all_moving_after_lease_s").asDouble()).isPositive();
  }

  @Test
  void theWorkOfANodeThatIsKilledOrDrainedMovesOnTheOthers() throws Exception {
    JsonNode verdict =
        verdict(
            new FailoverBench(),
            "--workflows",
            "60",
            "--kills",
            "1",
            "--drains",
            "1",
            "--settle-seconds",
            "0");

    assertThat(verdict.get("kills").asInt()).isEqualTo(1);
    assertThat(verdict.get("p50_s").asDouble()).isPositive();
    assertThat(verdict.get("p99_s").asDouble()).isPositive();
    assertThat(verdict.has("drain_pause_s")).isTrue();
  }

  @Test
  void activitiesRunOnTheNodeWithWorkersAndOnAPeer() throws Exception {
    JsonNode verdict =
        verdict(
            new ActivitiesBench(),
            "--rounds",
            "1",
            "--in-flight",
            "8",
            "--queued-in-flight",
            "16",
            "--workers",
            "2",
            "--idle-pollers",
            "20",
            "--idle-seconds",
            "2");

    assertThat(verdict.get("keyed_to_unkeyed").asDouble()).isPositive();
    assertThat(verdict.get("worker_tasks_per_s").asDouble()).isPositive();
    assertThat(verdict.get("worker_to_steps").asDouble()).isPositive();
    assertThat(verdict.get("keyed_to_peer_steps").asDouble()).isPositive();
    assertThat(verdict.get("workers_to_peer_queue").asDouble()).isPositive();
    assertThat(verdict.get("peer_ratio").asDouble())
        .isEqualTo(
            Math.min(
                verdict.get("keyed_to_peer_steps").asDouble(),
                verdict.get("workers_to_peer_queue").asDouble()));
    assertThat(verdict.has("percent_of_core")).isTrue();
  }

  @Test
  void workflowsAndTheLogOfALargeJournalHaveTheirBytes() throws Exception {
    JsonNode verdict =
        verdict(
            new StoreBench(), "--in-flight", "8", "--workflows", "200", "--journal-rows", "5000");

    assertThat(verdict.get("bytes_per_workflow").asDouble()).isGreaterThan(1_000);
    assertThat(verdict.get("journal_rows").asLong()).isGreaterThan(4_900);
    assertThat(verdict.get("wal_per_step_small").asDouble()).isPositive();
    assertThat(verdict.get("wal_per_step_cold").asDouble()).isPositive();
    assertThat(verdict.get("wal_per_frozen_row").asDouble()).isPositive();
  }

  @Test
  void aColumnAndAnIndexAreAddedBesideCommits() throws Exception {
    JsonNode verdict =
        verdict(
            new StoreBench(), "--paths", "online", "--in-flight", "8", "--online-rows", "20000");

    assertThat(verdict.get("journal_rows").asLong()).isEqualTo(20_000);
    assertThat(verdict.get("commits_per_s_before").asDouble()).isPositive();
    assertThat(verdict.get("p99_ms_during").asDouble()).isPositive();
  }

  @Test
  void theSameWorkRunsOnAPeer() throws Exception {
    List<JsonNode> lines =
        lines("peers", "--rounds", "1", "--in-flight", "8", "--workflows", "20", "--senders", "2");

    assertThat(lines)
        .extracting(line -> line.get("work").asText())
        .containsExactly("steps", "starts", "signals");
    assertThat(lines)
        .allSatisfy(
            line -> {
              assertThat(line.get("tenure_per_s").asDouble()).isPositive();
              assertThat(line.get("peer_per_s").asDouble()).isPositive();
              assertThat(line.get("ratio").asDouble()).isPositive();
            });
  }

  @Test
  void overHttpDuplicatesCostNothingAndOverloadLosesNothing() throws Exception {
    JsonNode verdict =
        verdict(
            new HttpBench(),
            "--rounds",
            "1",
            "--in-flight",
            "8",
            "--workflows",
            "50",
            "--senders",
            "4",
            "--duplicates",
            "200");

    assertThat(verdict.get("start_to_inprocess").asDouble()).isPositive();
    assertThat(verdict.get("signal_to_inprocess").asDouble()).isPositive();
    assertThat(verdict.get("p99_ms_at_half").asDouble()).isPositive();
    assertThat(verdict.get("duplicate_journal_commits").asDouble()).isZero();
    assertThat(verdict.get("overload_accepted_and_lost").asDouble()).isZero();
    assertThat(verdict.get("overload_refused_without_retry_after").asDouble()).isZero();
  }

  private JsonNode verdict(Callable<Integer> bench, String... arguments) throws Exception {
    String name = bench.getClass().getAnnotation(CommandLine.Command.class).name();
    JsonNode verdict = lines(name, arguments).getLast();
    assertThat(verdict.get("bench").asText()).isEqualTo(name);
    assertThat(verdict.get("path").asText()).isEqualTo("verdict");
    return verdict;
  }

  private List<JsonNode> lines(String name, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(name, "--json", "--data", folder + "/data"));
    all.addAll(List.of("--seconds", "1", "--warmup-seconds", "1", "--warmup-max-seconds", "1"));
    all.addAll(List.of(arguments));
    PrintStream out = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      assertThat(Bench.commands().execute(all.toArray(String[]::new))).isZero();
    } finally {
      System.setOut(out);
    }
    List<JsonNode> lines = new ArrayList<>();
    for (String line : printed.toString(StandardCharsets.UTF_8).lines().toList())
      if (line.startsWith("{\"bench\"")) lines.add(new ObjectMapper().readTree(line));
    return lines;
  }
}
