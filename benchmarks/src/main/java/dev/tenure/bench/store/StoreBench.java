package dev.tenure.bench.store;

import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.measure.Options;
import dev.tenure.bench.measure.Report;
import dev.tenure.bench.workflows.Engine;
import dev.tenure.bench.workflows.Flow;
import dev.tenure.sharding.host.UniqueIds;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowRegistration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a store of years is made of: the bytes of a workflow, and the log of a large journal. */
@Command(
    name = "store",
    mixinStandardHelpOptions = true,
    description = "Bytes of workflows on disk, and the log that a large journal costs.")
public final class StoreBench implements Callable<Integer> {
  /** As many as the workflows that the figures of the documentation speak of. */
  static final int STEPS = 10;

  @Mixin private Options options;

  @Option(names = "--in-flight", defaultValue = "256")
  private int inFlight;

  @Option(
      names = "--workflows",
      defaultValue = "20000",
      description = "of ten steps, whose bytes are counted (default ${DEFAULT-VALUE})")
  private int workflows;

  @Option(
      names = "--journal-rows",
      defaultValue = "5000000",
      description =
          "of the journal behind which the log of a step is measured (default ${DEFAULT-VALUE})")
  private long journalRows;

  @Option(
      names = "--random-ids",
      description =
          "gives workflows random ids; without it they rise, as those that the engine makes")
  private boolean randomIds;

  @Option(
      names = "--paths",
      split = ",",
      defaultValue = "size,purge",
      description =
          "size, purge: removals beside starts, online: what commits notice of a migration (default"
              + " ${DEFAULT-VALUE})")
  private List<String> paths;

  @Option(
      names = "--closed",
      defaultValue = "1000000",
      description = "workflows of ten steps that are removed (default ${DEFAULT-VALUE})")
  private long closed;

  @Option(
      names = "--online-rows",
      defaultValue = "10000000",
      description = "of the journal that is migrated (default ${DEFAULT-VALUE})")
  private long onlineRows;

  private final UniqueIds ids = new UniqueIds(InstantSource.system());

  private final LongAdder steps = new LongAdder();

  /** Steps that only return a number. */
  @Workflow(name = "ten-steps")
  public static final class TenSteps {
    private final LongAdder steps;

    TenSteps(LongAdder steps) {
      this.steps = steps;
    }

    public int run(WorkflowContext ctx, int number) {
      int sum = 0;
      for (int i = 0; i < STEPS; i++) {
        sum += ctx.step("step", () -> number);
        steps.increment();
      }
      return sum;
    }
  }

  @Override
  public Integer call() {
    Report report = new Report("store", options.json);
    Map<String, Object> verdict = new LinkedHashMap<>();
    try (BenchServer server = BenchServer.start(options.data)) {
      if (paths.contains("size")) size(server, report, verdict);
      if (paths.contains("purge"))
        verdict.putAll(new PurgeLoad(server, options, report, closed, inFlight).measure());
      if (paths.contains("online"))
        verdict.putAll(new OnlineChange(server, options, onlineRows, inFlight).measure());
    }
    report.line("verdict", verdict);
    return 0;
  }

  private void size(BenchServer server, Report report, Map<String, Object> verdict) {
    try (Engine engine =
        Engine.start(
            server, options, WorkflowRegistration.of(TenSteps.class, () -> new TenSteps(steps)))) {
      Tables tables = new Tables(server);
      engine.clear();
      verdict.put("bytes_per_workflow", bytes(engine, tables, report));
      verdict.put("wal_per_step_small", log(server, engine));
      tables.fillJournal(journalRows, randomIds);
      verdict.put("journal_rows", tables.rows("event_journal"));
      // The indexes of the rows that were just made are in memory, and all of them are clean.
      server.checkpoint();
      verdict.put("wal_per_step_cold", log(server, engine));
      verdict.put("wal_per_frozen_row", tables.logOfFreezing());
    }
  }

  private double bytes(Engine engine, Tables tables, Report report) {
    Map<String, Long> before = tables.bytes();
    AtomicInteger left = new AtomicInteger(workflows);
    Flow flow = flow(engine, left);
    Engine.until(() -> left.get() <= 0, "all workflows are started");
    flow.stop();
    tables.vacuum();
    double sum = 0;
    Map<String, Object> figures = new LinkedHashMap<>();
    for (Map.Entry<String, Long> table : tables.bytes().entrySet()) {
      long grown = table.getValue() - before.getOrDefault(table.getKey(), 0L);
      if (grown <= 0) continue;
      double each = (double) grown / flow.done();
      figures.put(table.getKey(), each);
      sum += each;
    }
    figures.put("workflows", flow.done());
    report.line("bytes", figures);
    return sum;
  }

  /** What a step writes into the log in the first seconds after a checkpoint. */
  private double log(BenchServer server, Engine engine) {
    server.checkpoint();
    long stepsBefore = steps.sum();
    long before = server.walBytes();
    Flow flow = flow(engine, new AtomicInteger(Integer.MAX_VALUE));
    try {
      TimeUnit.SECONDS.sleep(options.seconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while measuring", e);
    } finally {
      flow.stop();
    }
    return (double) (server.walBytes() - before) / (steps.sum() - stepsBefore);
  }

  private Flow flow(Engine engine, AtomicInteger left) {
    return new Flow(
        engine,
        "ten-steps",
        Engine.json(7),
        inFlight,
        nanos -> left.decrementAndGet(),
        randomIds ? () -> UUID.randomUUID().toString() : ids);
  }
}
