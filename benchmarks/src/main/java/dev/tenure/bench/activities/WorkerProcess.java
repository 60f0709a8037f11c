package dev.tenure.bench.activities;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Workers in a process of their own, seen from the one that measures. */
final class WorkerProcess implements AutoCloseable {
  private static final int END_SECONDS = 60;

  private final Process process;

  private WorkerProcess(Process process) {
    this.process = process;
  }

  /** Returns when its workers have begun to take. */
  static WorkerProcess start(
      URI server,
      String queue,
      int workers,
      int atOnce,
      List<String> activities,
      List<String> keys) {
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:+UseSerialGC",
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                WorkerMain.class.getName(),
                server.toString(),
                queue,
                Integer.toString(workers),
                Integer.toString(atOnce),
                String.join(",", activities)));
    command.addAll(keys);
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      String line =
          new BufferedReader(
                  new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
              .readLine();
      if (line == null) throw new IllegalStateException("the workers ended: see above");
      return new WorkerProcess(process);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start the workers", e);
    }
  }

  double cpuSeconds() {
    return process.info().totalCpuDuration().orElseThrow().toNanos() / 1e9;
  }

  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) process.destroyForcibly();
    } catch (IOException e) {
      process.destroyForcibly();
      throw new UncheckedIOException("cannot tell the workers to end", e);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
