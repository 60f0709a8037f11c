package dev.tenure.bench.failover;

import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.measure.FreePort;
import dev.tenure.bench.measure.Options;
import dev.tenure.bench.measure.Report;
import dev.tenure.bench.workflows.Engine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Three nodes share workflows that never rest; one node after the other is killed, or drained. */
@Command(
    name = "failover",
    mixinStandardHelpOptions = true,
    description = "How soon all workflows of a node move again that was killed, or drained.")
public final class FailoverBench implements Callable<Integer> {
  private static final int NODES = 3;

  /** A node has its share when it has this part of what each would have. */
  private static final double FAIR = 0.7;

  private static final int PERCENT = 100;
  private static final int HALF = 50;
  private static final int NEARLY_ALL = 99;

  @Mixin private Options options;

  @Option(names = "--workflows", defaultValue = "3000")
  private int workflows;

  @Option(names = "--kills", defaultValue = "30")
  private int kills;

  @Option(names = "--drains", defaultValue = "6")
  private int drains;

  @Option(
      names = "--settle-seconds",
      defaultValue = "10",
      description =
          "For how long the cluster works after a node has come back, before the next ends.")
  private int settleSeconds;

  private final List<NodeOfBench> nodes = new ArrayList<>();
  private final List<Integer> ports = new ArrayList<>();
  private BenchServer server;
  private Moves moves;

  @Override
  public Integer call() {
    Report report = new Report("failover", options.json);
    moves = new Moves(workflows);
    try (BenchServer started = BenchServer.start(options.data)) {
      server = started;
      Engine.prepare(server);
      measure(report);
    }
    return 0;
  }

  private void measure(Report report) {
    try {
      for (int i = 0; i < NODES; i++) {
        ports.add(FreePort.any());
        nodes.add(start(i));
      }
      for (NodeOfBench node : nodes) node.awaitUp();
      nodes.getFirst().startAll(workflows);
      Engine.until(moves::haveAllMoved, "all workflows have moved");
      List<Double> killed = new ArrayList<>();
      for (int i = 0; i < kills; i++) killed.add(kill(i, report));
      double pause = 0;
      for (int i = 0; i < drains; i++) pause = Math.max(pause, drain(i, report));
      report.line("verdict", verdict(killed, pause));
    } finally {
      // Before the server, or they would complain about its end.
      nodes.forEach(NodeOfBench::close);
    }
  }

  private NodeOfBench start(int number) {
    return new NodeOfBench(
        number, Engine.url(server), ports.get(number), options.connections, moves);
  }

  private void restart(int number) {
    nodes.set(number, start(number));
    nodes.get(number).awaitUp();
  }

  /** Returns after how many seconds all of the node's workflows moved again. */
  private double kill(int round, Report report) {
    int victim = round % NODES;
    awaitWork();
    long at = nodes.get(victim).kill();
    List<Integer> had = moves.on(victim);
    Engine.until(() -> moves.allLeft(had, victim).isPresent(), "all of them move again");
    double seconds = (moves.allLeft(had, victim).orElseThrow() - at) / 1e9;
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("node", victim);
    figures.put("workflows", had.size());
    figures.put("all_moving_s", seconds);
    report.line("kill", Integer.toString(round + 1), figures);
    restart(victim);
    return seconds;
  }

  /** Returns for how many seconds longer than usual one of the node's workflows stood still. */
  private double drain(int round, Report report) {
    int drained = round % NODES;
    awaitWork();
    List<Integer> had = moves.on(drained);
    moves.forgetGaps();
    nodes.get(drained).drain();
    Engine.until(() -> moves.allLeft(had, drained).isPresent(), "all of them have moved");
    double pause = (moves.longestGap(had) - Beating.EVERY.toNanos()) / 1e9;
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("node", drained);
    figures.put("workflows", had.size());
    figures.put("pause_s", pause);
    report.line("drain", Integer.toString(round + 1), figures);
    restart(drained);
    return pause;
  }

  /** A node that has just started is still being compiled, on the cores of all. */
  private void awaitWork() {
    awaitShares();
    LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(settleSeconds));
    awaitShares();
  }

  private void awaitShares() {
    Engine.until(
        () -> {
          for (int i = 0; i < NODES; i++)
            if (moves.on(i).size() < FAIR * workflows / NODES) return false;
          return true;
        },
        "each node has its share");
  }

  private Map<String, Object> verdict(List<Double> killed, double pause) {
    Map<String, Object> verdict = new LinkedHashMap<>();
    verdict.put("kills", killed.size());
    if (kills > 0) {
      verdict.put("p50_s", percentile(killed, HALF));
      verdict.put("p99_s", percentile(killed, NEARLY_ALL));
    }
    if (drains > 0) verdict.put("drain_pause_s", pause);
    return verdict;
  }

  /** The smallest that is not below this share of them. */
  private static double percentile(List<Double> all, int percent) {
    List<Double> sorted = all.stream().sorted().toList();
    return sorted.get((int) Math.ceil(sorted.size() * (double) percent / PERCENT) - 1);
  }
}
