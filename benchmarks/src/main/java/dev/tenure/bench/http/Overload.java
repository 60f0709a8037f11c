package dev.tenure.bench.http;

import dev.tenure.bench.http.load.Plan;
import dev.tenure.bench.http.load.Sent;
import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.measure.Options;
import dev.tenure.bench.workflows.Engine;
import dev.tenure.http.access.Throttle;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Ten times as many senders as may be under way at once; none waits before it tries again. */
record Overload(
    BenchServer server, Engine engine, FrontDoors doors, LoadProcess load, Options options) {
  private static final int OPEN_MAX = 64;
  private static final int FACTOR = 10;
  private static final int RATE_MAX = 1_000_000;
  private static final int AFTERWARDS = 1_000;
  private static final double MIB = 1 << 20;

  Map<String, Object> measure() {
    engine.clear();
    URI door = doors.open(new Throttle.Limits(RATE_MAX, RATE_MAX, OPEN_MAX, OPEN_MAX));
    load.open(door, OPEN_MAX * FACTOR, doors.keys());
    warm();
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("open_limit", OPEN_MAX);
    figures.put("offered", OPEN_MAX * FACTOR);
    long before = server.number(Engine.DATABASE, "SELECT count(*) FROM workflow_all");
    figures.put("heap_mib_before", heapMib());
    CompletionStage<Sent> sending = load.run(Measured.starting("overload", 201, 503));
    Measured.sleep(options.seconds);
    figures.put("heap_mib_during", heapMib());
    Measured.sleep(options.seconds);
    load.stop();
    Sent sent = Engine.within(sending);
    // At once: the node must not need time to recover, or a restart.
    load.open(door, OPEN_MAX, doors.keys());
    Plan usual = Measured.starting("afterwards", 201).times(AFTERWARDS);
    Sent afterwards = Engine.within(load.run(usual));
    Engine.until(() -> engine.unfinished() == 0, "all that was accepted ends");
    figures.put("heap_mib_after", heapMib());
    long there = server.number(Engine.DATABASE, "SELECT count(*) FROM workflow_all") - before;
    figures.put("accepted_per_s", sent.answers(201) / sent.seconds());
    figures.put("refused_per_s", sent.answers(503) / sent.seconds());
    figures.put("refused_without_retry_after", sent.answers(503) - sent.sayingWhenToRetry());
    figures.put("accepted_and_lost", sent.answers(201) + afterwards.answers(201) - there);
    figures.put("afterwards_p99_ms", afterwards.histogram().getValueAtPercentile(99) / 1e6);
    return figures;
  }

  /** What each connection takes once is not the growth that is looked for. */
  private void warm() {
    CompletionStage<Sent> sending = load.run(Measured.starting("overload", 201, 503));
    Measured.sleep(options.warmupSeconds);
    load.stop();
    Engine.within(sending);
    Engine.until(() -> engine.unfinished() == 0, "all that was accepted ends");
  }

  private static double heapMib() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MIB;
  }
}
