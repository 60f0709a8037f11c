package dev.tenure.bench.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tenure.bench.http.load.LoadMain;
import dev.tenure.bench.http.load.Plan;
import dev.tenure.bench.http.load.Sent;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The process that sends, seen from the one that measures. */
final class LoadProcess implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final PrintStream orders;
  private final BufferedReader answers;

  private LoadProcess(Process process) {
    this.process = process;
    this.orders = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  static LoadProcess start() {
    String java = ProcessHandle.current().info().command().orElse("java");
    try {
      return new LoadProcess(
          new ProcessBuilder(
                  java,
                  // One thread that sends: it needs no collector that takes others' processors.
                  "-XX:+UseSerialGC",
                  "-Xmx256m",
                  "-cp",
                  System.getProperty("java.class.path"),
                  LoadMain.class.getName())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start the load", e);
    }
  }

  /** Leaves the connections it had, and opens others. */
  void open(URI server, int connections, List<String> keys) {
    order(
        Map.of(
            "open",
            Map.of(
                "host",
                server.getHost(),
                "port",
                server.getPort(),
                "connections",
                connections,
                "keys",
                keys)));
    answer();
  }

  /** Completed when the plan is through, or after {@link #stop}. */
  CompletionStage<Sent> run(Plan plan) {
    order(Map.of("run", plan));
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return JSON.readValue(answer(), Sent.class);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        task -> Thread.ofVirtual().start(task));
  }

  /** What was sent up to now was for warming up. */
  void mark() {
    orders.println("mark");
  }

  void stop() {
    orders.println("stop");
  }

  private void order(Map<String, ?> what) {
    try {
      orders.println(JSON.writeValueAsString(what));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String answer() {
    try {
      String line = answers.readLine();
      if (line == null) throw new IllegalStateException("the load ended: its error stands above");
      return line;
    } catch (IOException e) {
      throw new UncheckedIOException("the load cannot be heard", e);
    }
  }

  double cpuSeconds() {
    return process.info().totalCpuDuration().orElseThrow().toNanos() / 1e9;
  }

  @Override
  public void close() {
    orders.close();
    process.destroy();
  }
}
