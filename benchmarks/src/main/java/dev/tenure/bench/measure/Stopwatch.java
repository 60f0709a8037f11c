package dev.tenure.bench.measure;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Adds up the time, CPU, garbage and log of the phases that count; what lies between them does not.
 */
public final class Stopwatch {
  private static final OperatingSystemMXBean JVM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final BenchServer server;
  private double seconds;
  private double serverCpu;
  private double jvmCpu;
  private long allocated;
  private long wal;

  public Stopwatch(BenchServer server) {
    this.server = server;
  }

  public void start() {
    add(-1);
  }

  public void stop() {
    add(1);
  }

  private void add(int sign) {
    // The clock is read innermost, so that the time to read the others is not measured.
    if (sign > 0) seconds += System.nanoTime() / 1e9;
    jvmCpu += sign * JVM.getProcessCpuTime() / 1e9;
    allocated += sign * THREADS.getTotalThreadAllocatedBytes();
    wal += sign * server.walBytes();
    serverCpu += sign * server.cpuSeconds();
    if (sign < 0) seconds -= System.nanoTime() / 1e9;
  }

  public double seconds() {
    return seconds;
  }

  /** How many cores this process had at work, on the average. */
  public double jvmCores() {
    return jvmCpu / seconds;
  }

  /** The same of the server. */
  public double serverCores() {
    return serverCpu / seconds;
  }

  /** What so many units cost. */
  public Map<String, Object> costs(String unit, long done) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("wal_bytes_per_" + unit, (double) wal / done);
    figures.put("cpu_s_per_1000_postgres", serverCpu * 1000 / done);
    figures.put("cpu_s_per_1000_jvm", jvmCpu * 1000 / done);
    figures.put("allocated_bytes_per_" + unit, (double) allocated / done);
    return figures;
  }
}
