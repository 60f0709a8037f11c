package dev.tenure.bench.measure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Measures one path: the load runs, is left alone until it is warm, and what happens between two
 * moments counts.
 */
public final class Meter {
  private final BenchServer server;
  private final LongAdder count = new LongAdder();
  private final Recorder latencies = new Recorder(TimeUnit.MINUTES.toNanos(2), 3);

  public Meter(BenchServer server) {
    this.server = server;
  }

  /** A load that was started: how many units it has done, and in how many transactions. */
  public interface Load {
    long transactions();

    void stop();
  }

  /** One unit of work was done in so many nanoseconds. */
  public void done(long nanos) {
    count.increment();
    latencies.recordValue(Math.max(0, nanos));
  }

  public void done(long nanos, int times) {
    count.add(times);
    latencies.recordValueWithCount(Math.max(0, nanos), times);
  }

  /** Lets the load run until its rate stands still; returns for how long. */
  private double warmUp(Options options) throws InterruptedException {
    WarmUp warmUp = new WarmUp(options);
    double perSecond;
    double seconds;
    do {
      long from = System.nanoTime();
      long before = count.sum();
      TimeUnit.SECONDS.sleep(warmUp.windowSeconds());
      seconds = (System.nanoTime() - from) / 1e9;
      perSecond = (count.sum() - before) / seconds;
    } while (!warmUp.isOver(perSecond, seconds));
    return warmUp.seconds();
  }

  /** The figures of the measured interval; the load is stopped afterwards. */
  public Map<String, Object> measure(Load load, Options options, String unit) {
    try {
      server.checkpoint();
      double warmUp = warmUp(options);
      Stopwatch watch = new Stopwatch(server);
      long transactions = load.transactions();
      watch.start();
      latencies.reset();
      TimeUnit.SECONDS.sleep(options.seconds);
      Histogram all = latencies.getIntervalHistogram();
      watch.stop();
      long done = all.getTotalCount();
      if (done == 0)
        throw new IllegalStateException("the load did nothing in " + watch.seconds() + " s");
      transactions = load.transactions() - transactions;
      Map<String, Object> figures = new LinkedHashMap<>();
      figures.put(unit + "s_per_s", done / watch.seconds());
      figures.put("p50_ms", all.getValueAtPercentile(50) / 1e6);
      figures.put("p99_ms", all.getValueAtPercentile(99) / 1e6);
      figures.put(unit + "s_per_tx", transactions == 0 ? null : (double) done / transactions);
      figures.put("warmup_s", warmUp);
      figures.putAll(watch.costs(unit, done));
      return figures;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while measuring", e);
    } finally {
      load.stop();
    }
  }
}
