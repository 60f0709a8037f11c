package dev.tenure.bench.activities;

import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.measure.Report;
import dev.tenure.bench.measure.Stopwatch;
import dev.tenure.bench.workflows.Engine;
import dev.tenure.bench.workflows.Flow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Many minutes of the same load: a task must not cost more at the end than at the beginning, and
 * the table of tasks must not grow. Records of keyed calls stay with their workflows, as the
 * history does.
 */
final class SteadyLoad {
  private static final String DEAD =
      "SELECT n_dead_tup FROM pg_stat_user_tables WHERE relname = '%s'";
  private static final String BYTES = "SELECT pg_total_relation_size('%s')";

  /** Rows that were read without an index. */
  private static final String SCANNED =
      "SELECT coalesce(sum(seq_tup_read), 0)::bigint FROM pg_stat_user_tables"
          + " WHERE relname IN ('task', 'activity_record', 'workflow', 'event_journal')";

  private final BenchServer server;
  private final Engine engine;
  private final Report report;
  private final LongAdder done = new LongAdder();

  SteadyLoad(BenchServer server, Engine engine, Report report) {
    this.server = server;
    this.engine = engine;
    this.report = report;
  }

  /** A call was done. */
  void done() {
    done.increment();
  }

  /** What a task cost in the last third of the time, to the first one. */
  Map<String, Object> measure(int minutes, int inFlight) {
    engine.clear();
    Flow flow =
        new Flow(engine, Calls.TYPE, Engine.json(Calls.Kind.QUEUED_KEYED), inFlight, n -> {});
    List<Map<String, Object>> all = new ArrayList<>();
    try {
      // The first one warms up.
      minute();
      for (int minute = 1; minute <= minutes; minute++) {
        Map<String, Object> figures = minute();
        report.line("minute", Integer.toString(minute), figures);
        all.add(figures);
      }
    } finally {
      flow.stop();
    }
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("minutes", minutes);
    figures.put("rate_last_to_first", lastToFirst(all, "tasks_per_s"));
    figures.put("postgres_cpu_last_to_first", lastToFirst(all, "cpu_s_per_1000_postgres"));
    figures.put("task_bytes_last_to_first", lastToFirst(all, "task_bytes"));
    figures.put("task_dead_rows_max", max(all, "task_dead_rows"));
    figures.put("scanned_rows_per_task", mean(all, "scanned_rows_per_task"));
    return figures;
  }

  private Map<String, Object> minute() {
    Stopwatch watch = new Stopwatch(server);
    long scanned = number(SCANNED);
    watch.start();
    long before = done.sum();
    try {
      TimeUnit.MINUTES.sleep(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while measuring", e);
    }
    long tasks = done.sum() - before;
    watch.stop();
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("tasks_per_s", tasks / watch.seconds());
    figures.putAll(watch.costs("task", tasks));
    figures.put("task_bytes", number(BYTES.formatted("task")));
    figures.put("task_dead_rows", number(DEAD.formatted("task")));
    figures.put("record_bytes", number(BYTES.formatted("activity_record")));
    figures.put("record_dead_rows", number(DEAD.formatted("activity_record")));
    figures.put("scanned_rows_per_task", (double) (number(SCANNED) - scanned) / tasks);
    return figures;
  }

  private long number(String query) {
    return server.number(Engine.DATABASE, query);
  }

  private static double lastToFirst(List<Map<String, Object>> all, String figure) {
    int third = Math.max(1, all.size() / 3);
    return mean(all.subList(all.size() - third, all.size()), figure)
        / mean(all.subList(0, third), figure);
  }

  private static double mean(List<Map<String, Object>> all, String figure) {
    return all.stream()
        .mapToDouble(one -> ((Number) one.get(figure)).doubleValue())
        .average()
        .orElseThrow();
  }

  private static double max(List<Map<String, Object>> all, String figure) {
    return all.stream()
        .mapToDouble(one -> ((Number) one.get(figure)).doubleValue())
        .max()
        .orElseThrow();
  }
}
