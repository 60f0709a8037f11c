package dev.tenure.bench.workflows;

import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.measure.FreePort;
import dev.tenure.bench.measure.Options;
import dev.tenure.bench.measure.Report;
import dev.tenure.bench.measure.Stopwatch;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * A node is killed in the middle of many workflows: how soon another one has all of them moving.
 */
@Command(
    name = "recovery",
    mixinStandardHelpOptions = true,
    description = "A node is killed with many workflows at work; another one goes on with them.")
public final class RecoveryBench implements Callable<Integer> {
  /** Who goes on. */
  private enum Successor {
    /** A node of the same cluster that has itself run workflows: a fail-over. */
    SURVIVOR,
    /** A new process at the address of the one that was killed, alone: a restart. */
    RESTARTED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Shares of the workflows whose time is reported, in percent. */
  private static final int HALF = 50;

  private static final int NEARLY_ALL = 99;

  @Mixin private Options options;

  @Option(names = "--workflows", defaultValue = "10000")
  private int workflows;

  @Option(
      names = "--successor",
      split = ",",
      defaultValue = "restarted,survivor",
      description = "who goes on: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE})")
  private List<Successor> successors;

  @Override
  public Integer call() {
    Report report = new Report("recovery", options.json);
    for (Successor successor : successors) {
      try (BenchServer server = BenchServer.start(options.data)) {
        Engine.prepare(server);
        Map<String, Object> figures =
            switch (successor) {
              case SURVIVOR -> failOver(server);
              case RESTARTED -> restart(server);
            };
        report.line("successor", successor.toString(), figures);
      }
    }
    return 0;
  }

  private Map<String, Object> failOver(BenchServer server) {
    Moves moves = new Moves(workflows);
    // Of two halves the one with the lowest address stays; the other would stop by itself.
    int[] ports = IntStream.of(FreePort.any(), FreePort.any()).sorted().toArray();
    try (Engine survivor = Engine.join(server, ports[0], options, RecoveryWork.moving(moves))) {
      RecoveryWork.warm(survivor, "warm", workflows);
      RecoveryVictim victim = RecoveryVictim.start(server, ports[1], options, workflows);
      // The second node is handed its share of the shards; the load begins after that.
      victim.awaitAtWork();
      return measure(server, survivor, victim, moves);
    }
  }

  private Map<String, Object> restart(BenchServer server) {
    Moves moves = new Moves(workflows);
    int port = FreePort.any();
    RecoveryVictim victim = RecoveryVictim.start(server, port, options, workflows);
    victim.awaitAtWork();
    Stopwatch watch = new Stopwatch(server);
    watch.start();
    long killed = victim.kill();
    try (Engine engine = Engine.join(server, port, options, RecoveryWork.moving(moves))) {
      return measure(engine, 0, killed, moves, watch);
    }
  }

  private Map<String, Object> measure(
      BenchServer server, Engine survivor, RecoveryVictim victim, Moves moves) {
    int own = survivor.shards();
    Stopwatch watch = new Stopwatch(server);
    watch.start();
    return measure(survivor, own, victim.kill(), moves, watch);
  }

  private Map<String, Object> measure(
      Engine engine, int own, long killed, Moves moves, Stopwatch watch) {
    Engine.until(() -> engine.shards() > own, "the first lease");
    long first = System.nanoTime();
    Engine.until(() -> engine.shards() == Engine.SHARDS || moves.all(), "the last lease");
    long last = System.nanoTime();
    Engine.until(moves::all, "all are moving");
    watch.stop();
    Engine.until(() -> engine.unfinished() == 0, "all have ended");
    long[] at = moves.times();
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("workflows", workflows);
    figures.put("lease_after_kill_s", seconds(killed, first));
    figures.put("last_lease_after_first_s", seconds(first, last));
    figures.put("half_moving_after_lease_s", seconds(first, at[at.length * HALF / 100]));
    figures.put("p99_moving_after_lease_s", seconds(first, at[at.length * NEARLY_ALL / 100]));
    figures.put("all_moving_after_lease_s", seconds(first, at[at.length - 1]));
    figures.putAll(watch.costs("workflow", workflows));
    return figures;
  }

  /** When each of them was first seen to move. */
  static final class Moves {
    private final AtomicLongArray at;
    private final AtomicInteger moving = new AtomicInteger();

    Moves(int workflows) {
      at = new AtomicLongArray(workflows);
    }

    void moves(int workflow) {
      if (at.compareAndSet(workflow, 0, System.nanoTime())) moving.incrementAndGet();
    }

    boolean all() {
      return moving.get() == at.length();
    }

    long[] times() {
      return IntStream.range(0, at.length()).mapToLong(at::get).sorted().toArray();
    }
  }

  private static double seconds(long from, long to) {
    return (to - from) / 1e9;
  }
}
