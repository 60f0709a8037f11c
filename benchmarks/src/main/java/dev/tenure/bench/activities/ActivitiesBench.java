package dev.tenure.bench.activities;

import dev.tenure.bench.activities.Calls.Kind;
import dev.tenure.bench.http.FrontDoors;
import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.measure.Meter;
import dev.tenure.bench.measure.Options;
import dev.tenure.bench.measure.Report;
import dev.tenure.bench.workflows.Dbos;
import dev.tenure.bench.workflows.Engine;
import dev.tenure.bench.workflows.Flow;
import dev.tenure.bench.workflows.Rounds;
import dev.tenure.http.access.Throttle;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.LongConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What an activity costs: on the node without and with a key, and with workers over HTTP. */
@Command(
    name = "activities",
    mixinStandardHelpOptions = true,
    description = "Activities on the node and with remote workers, beside steps and DBOS Java.")
public final class ActivitiesBench implements Callable<Integer> {
  private static final String RATE = "calls_per_s";

  @Mixin private Options options;

  @Option(names = "--in-flight", defaultValue = "256", description = "workflows of local calls")
  private int inFlight;

  @Option(
      names = "--queued-in-flight",
      defaultValue = "1024",
      description = "workflows whose calls workers run, and queued workflows of the peer")
  private int queuedInFlight;

  @Option(names = "--workers", defaultValue = "8", description = "each with a poll of its own")
  private int workers;

  @Option(names = "--idle-pollers", defaultValue = "1000")
  private int idlePollers;

  @Option(names = "--idle-seconds", defaultValue = "30")
  private int idleSeconds;

  @Option(names = "--steady-minutes", defaultValue = "10", description = "of the path steady")
  private int steadyMinutes;

  @Option(
      names = "--paths",
      split = ",",
      defaultValue = "local,workers,idle,peer",
      description = "of local, workers, idle, peer, steady (default ${DEFAULT-VALUE})")
  private List<String> paths;

  @Option(names = "--rounds", defaultValue = "2")
  private int rounds;

  /** The receiver of reports on calls at this moment. */
  private volatile LongConsumer done;

  private BenchServer server;
  private Engine engine;
  private FrontDoors doors;
  private URI door;
  private Rounds all;

  @Override
  public Integer call() {
    Report report = new Report("activities", options.json);
    try (BenchServer started = BenchServer.start(options.data);
        Engine node =
            Engine.start(
                started,
                options,
                List.of(Calls.workflow(nanos -> done.accept(nanos))),
                Calls.onNode())) {
      server = started;
      engine = node;
      doors = new FrontDoors(node, options.data, "worker");
      door = doors.open(Throttle.Limits.DEFAULT);
      all = new Rounds(server, options, report);
      if (paths.contains("local") || paths.contains("workers") || paths.contains("peer")) rates();
      if (paths.contains("idle")) {
        IdlePolls idle = new IdlePolls(server, engine, options, idleSeconds);
        all.measure("idle", () -> idle.measure(idlePollers, door, doors.keys()));
      }
      if (paths.contains("steady")) steady(report);
      all.verdict(verdict());
    }
    return 0;
  }

  /** In turns, so that what else the machine does affects all of them. */
  private void rates() {
    // Not reported: the first measurement pays for a cold compiler. HTTP is cold by itself.
    local(Kind.STEP);
    if (paths.contains("workers")) remote(Kind.QUEUED);
    for (int round = 0; round < rounds; round++) {
      all.measure("steps", () -> local(Kind.STEP));
      all.measure("unkeyed", () -> local(Kind.UNKEYED));
      all.measure("keyed", () -> local(Kind.KEYED));
      if (paths.contains("workers")) {
        all.measure("workers", () -> remote(Kind.QUEUED));
        all.measure("workers-keyed", () -> remote(Kind.QUEUED_KEYED));
      }
    }
    if (paths.contains("peer")) peer();
  }

  private void peer() {
    try (Dbos dbos = new Dbos(server)) {
      // Not reported: the peer is to be warm, too.
      theirs(completed -> dbos.flow(Calls.EACH, inFlight, completed), Calls.EACH);
      for (int round = 0; round < rounds; round++) {
        all.measure(
            "peer-steps",
            () -> theirs(completed -> dbos.flow(Calls.EACH, inFlight, completed), Calls.EACH));
        all.measure(
            "peer-queue", () -> theirs(completed -> dbos.queued(queuedInFlight, completed), 1));
      }
    }
  }

  private Map<String, Object> theirs(Function<LongConsumer, Meter.Load> load, int calls) {
    Meter theirs = new Meter(server);
    return theirs.measure(load.apply(nanos -> theirs.done(nanos, calls)), options, "call");
  }

  private Map<String, Object> local(Kind kind) {
    return measure(kind, inFlight);
  }

  private Map<String, Object> remote(Kind kind) {
    try (WorkerProcess process = workers()) {
      Map<String, Object> figures = new LinkedHashMap<>(measure(kind, queuedInFlight));
      figures.put("workers", workers);
      return figures;
    }
  }

  private WorkerProcess workers() {
    // As many at once as there are tasks at most, so that no task waits for a worker.
    int atOnce = Math.max(1, queuedInFlight / workers);
    return WorkerProcess.start(door, Calls.QUEUE, workers, atOnce, Calls.ofWorkers(), doors.keys());
  }

  private Map<String, Object> measure(Kind kind, int flows) {
    engine.clear();
    Meter meter = new Meter(server);
    done = meter::done;
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("in_flight", flows);
    Flow flow = new Flow(engine, Calls.TYPE, Engine.json(kind), flows, nanos -> {});
    figures.putAll(meter.measure(flow, options, "call"));
    return figures;
  }

  private void steady(Report report) {
    SteadyLoad load = new SteadyLoad(server, engine, report);
    done = nanos -> load.done();
    try (WorkerProcess process = workers()) {
      all.measure("steady", () -> load.measure(steadyMinutes, queuedInFlight));
    }
  }

  private Map<String, Object> verdict() {
    Map<String, Object> verdict = new LinkedHashMap<>();
    boolean workersRan = paths.contains("workers");
    if (paths.contains("local"))
      verdict.put("keyed_to_unkeyed", all.mean("keyed", RATE) / all.mean("unkeyed", RATE));
    if (workersRan) {
      verdict.put("worker_tasks_per_s", all.mean("workers", RATE));
      verdict.put("worker_to_steps", all.mean("workers", RATE) / all.mean("steps", RATE));
    }
    if (paths.contains("peer")) {
      double keyed = all.mean("keyed", RATE) / all.mean("peer-steps", RATE);
      double queue = workersRan ? all.mean("workers", RATE) / all.mean("peer-queue", RATE) : keyed;
      verdict.put("peer_ratio", Math.min(keyed, queue));
      verdict.put("keyed_to_peer_steps", keyed);
      if (workersRan) verdict.put("workers_to_peer_queue", queue);
    }
    if (paths.contains("idle")) all.into(verdict, "idle", "percent_of_core", "transactions_per_s");
    if (paths.contains("steady"))
      all.into(verdict, "steady", "rate_last_to_first", "task_bytes_last_to_first");
    return verdict;
  }
}
