package dev.tenure.bench.measure;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Measures one path: the load runs, is left alone for the warm-up, and what happens between two
 * moments counts.
 */
public final class Meter {
  private static final OperatingSystemMXBean JVM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final BenchServer server;
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
    latencies.recordValue(Math.max(0, nanos));
  }

  public void done(long nanos, int times) {
    latencies.recordValueWithCount(Math.max(0, nanos), times);
  }

  /** The figures of the measured interval; the load is stopped afterwards. */
  public Map<String, Object> measure(Load load, Options options, String unit) {
    try {
      server.checkpoint();
      TimeUnit.SECONDS.sleep(options.warmupSeconds);
      latencies.reset();
      long transactions = load.transactions();
      long wal = server.walBytes();
      double serverCpu = server.cpuSeconds();
      long jvmCpu = JVM.getProcessCpuTime();
      long start = System.nanoTime();
      TimeUnit.SECONDS.sleep(options.seconds);
      double seconds = (System.nanoTime() - start) / 1e9;
      Histogram all = latencies.getIntervalHistogram();
      long done = all.getTotalCount();
      if (done == 0) throw new IllegalStateException("the load did nothing in " + seconds + " s");
      double jvmSeconds = (JVM.getProcessCpuTime() - jvmCpu) / 1e9;
      double serverSeconds = server.cpuSeconds() - serverCpu;
      long walBytes = server.walBytes() - wal;
      transactions = load.transactions() - transactions;
      Map<String, Object> figures = new LinkedHashMap<>();
      figures.put(unit + "s_per_s", done / seconds);
      figures.put("p50_ms", all.getValueAtPercentile(50) / 1e6);
      figures.put("p99_ms", all.getValueAtPercentile(99) / 1e6);
      figures.put(unit + "s_per_tx", transactions == 0 ? null : (double) done / transactions);
      figures.put("wal_bytes_per_" + unit, (double) walBytes / done);
      figures.put("cpu_s_per_1000_postgres", serverSeconds * 1000 / done);
      figures.put("cpu_s_per_1000_jvm", jvmSeconds * 1000 / done);
      return figures;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while measuring", e);
    } finally {
      load.stop();
    }
  }
}
