package dev.tenure.bench.workflows;

import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.measure.Options;
import dev.tenure.bench.measure.Report;
import dev.tenure.bench.measure.Stopwatch;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowRegistration;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.ConcurrentHistogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What sleeping workflows cost, and how late they wake when many are due at once. */
@Command(
    name = "timers",
    mixinStandardHelpOptions = true,
    description = "Workflows that sleep and all fall due within seconds, beside empty actors.")
public final class TimersBench implements Callable<Integer> {
  private static final int STARTING = 512;

  private static final Duration REST = Duration.ofSeconds(2);

  @Mixin private Options options;

  @Option(names = "--sleepers", defaultValue = "100000")
  private int sleepers;

  @Option(
      names = "--spread-seconds",
      defaultValue = "10",
      description = "within which all fall due (default ${DEFAULT-VALUE})")
  private int spreadSeconds;

  @Option(
      names = "--warmup-sleepers",
      defaultValue = "5000",
      description = "that sleep before the others, and are not reported")
  private int warmupSleepers;

  @Option(
      names = "--margin-seconds",
      defaultValue = "20",
      description = "for what is not the starting: leaving memory, reading the heap")
  private int marginSeconds;

  /** Microseconds from due to awake. */
  private final ConcurrentHistogram lateness =
      new ConcurrentHistogram(TimeUnit.MINUTES.toMicros(10), 3);

  private final AtomicLong early = new AtomicLong();
  private final AtomicLong lastAwake = new AtomicLong();

  /** Sleeps until its hour. */
  @Workflow(name = "timers")
  public static final class Sleeper {
    private final TimersBench bench;

    Sleeper(TimersBench bench) {
      this.bench = bench;
    }

    public void run(WorkflowContext ctx, Instant due) {
      ctx.sleepUntil(due);
      bench.awake(due);
    }
  }

  private void awake(Instant due) {
    Instant now = Instant.now();
    if (now.isBefore(due)) early.incrementAndGet();
    lateness.recordValue(Math.max(0, due.until(now).toNanos() / 1000));
    lastAwake.accumulateAndGet(now.toEpochMilli(), Math::max);
  }

  @Override
  public Integer call() {
    Report report = new Report("timers", options.json);
    try (BenchServer server = BenchServer.start(options.data);
        Engine engine =
            Engine.start(
                server,
                options,
                // Sooner than usual, or the benchmark would mostly wait for it.
                usual -> usual.withRest(REST, usual.restingMax()),
                WorkflowRegistration.of(Sleeper.class, () -> new Sleeper(this)))) {
      Rounds all = new Rounds(server, options, report);
      double startsPerSecond =
          (Double) sleep(server, engine, "warm-up", warmupSleepers, 0).get("starts_per_s");
      all.measureEmptyActors();
      all.measure("timers", () -> sleep(server, engine, "sleep", sleepers, startsPerSecond));
      Map<String, Object> verdict = new LinkedHashMap<>();
      all.into(verdict, "timers", "timers_per_s");
      verdict.put(
          "to_empty_actor", all.mean("timers", "timers_per_s") / all.emptyActorsPerSecond());
      all.into(
          verdict,
          "timers",
          "sleepers",
          "heap_bytes_each",
          "early",
          "unfinished",
          "late_p50_ms",
          "late_p99_ms",
          "late_p99_explained_ms",
          "late_p99_beyond_ms",
          "cpu_s_per_1000_jvm",
          "cpu_s_per_1000_postgres");
      all.verdict(verdict);
    }
    return 0;
  }

  /**
   * @param startsPerSecond how fast they start, as far as is known; the hour is chosen by it
   */
  private Map<String, Object> sleep(
      BenchServer server, Engine engine, String prefix, int number, double startsPerSecond) {
    engine.clear();
    lateness.reset();
    early.set(0);
    lastAwake.set(0);
    long heapBefore = usedHeap();
    Duration starting =
        Duration.ofSeconds(marginSeconds)
            .plusMillis(startsPerSecond == 0 ? 0 : (long) (number / startsPerSecond * 1500));
    Instant hour = Instant.now().plus(starting);
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("sleepers", number);
    figures.put("starts_per_s", start(engine, prefix, number, hour));
    Engine.until(() -> engine.resident() == 0 || Instant.now().isAfter(hour), "all sleep");
    figures.put("heap_bytes_each", (double) (usedHeap() - heapBefore) / number);
    if (!Instant.now().isBefore(hour))
      throw new IllegalStateException(
          "the machine was too slow: the first timers were due before the last workflow slept");
    sleepUntil(hour);
    Stopwatch watch = new Stopwatch(server);
    watch.start();
    sleepUntil(hour.plusSeconds(spreadSeconds));
    Engine.until(() -> engine.unfinished() == 0, "all wake up and end");
    watch.stop();
    figures.putAll(wakes(hour, number));
    figures.put("unfinished", engine.unfinished());
    figures.putAll(watch.costs("timer", number));
    return figures;
  }

  private Map<String, Object> wakes(Instant hour, int number) {
    double drainSeconds = (lastAwake.get() - hour.toEpochMilli()) / 1000.0;
    // At this rate the last of a hundred comes so much later than it is due.
    double explainedMs = Math.max(0, drainSeconds - spreadSeconds) * 0.99 * 1000;
    double p99Ms = lateness.getValueAtPercentile(99) / 1000.0;
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("timers_per_s", number / drainSeconds);
    figures.put("early", early.get());
    figures.put("late_p50_ms", lateness.getValueAtPercentile(50) / 1000.0);
    figures.put("late_p99_ms", p99Ms);
    figures.put("late_p99_explained_ms", explainedMs);
    figures.put("late_p99_beyond_ms", Math.max(0, p99Ms - explainedMs));
    return figures;
  }

  /** Returns how many were started each second. */
  private double start(Engine engine, String prefix, int number, Instant hour) {
    Semaphore starting = new Semaphore(STARTING);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    long begin = System.nanoTime();
    for (int i = 0; i < number && failure.get() == null; i++) {
      starting.acquireUninterruptibly();
      // The same number of them in each part of the time, in no order.
      long spread = TimeUnit.SECONDS.toMicros(spreadSeconds);
      Instant due = hour.plusNanos(i * 7919L % number * spread / number * 1000);
      engine
          .start(prefix + "-" + i, "timers", Engine.json(due))
          .whenComplete(
              (started, problem) -> {
                if (problem != null) failure.compareAndSet(null, problem);
                starting.release();
              });
    }
    starting.acquireUninterruptibly(STARTING);
    if (failure.get() != null) throw new IllegalStateException("a start failed", failure.get());
    return number / ((System.nanoTime() - begin) / 1e9);
  }

  private static void sleepUntil(Instant instant) {
    try {
      TimeUnit.MILLISECONDS.sleep(Math.max(0, Instant.now().until(instant).toMillis()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting", e);
    }
  }

  private static long usedHeap() {
    Runtime runtime = Runtime.getRuntime();
    // What only waits for a collection, or for a cleaner that a collection sets off, does not
    // count.
    for (int i = 0; i < 3; i++) System.gc();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
