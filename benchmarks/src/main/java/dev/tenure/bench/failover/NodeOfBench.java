package dev.tenure.bench.failover;

import dev.tenure.bench.measure.JavaProcess;
import dev.tenure.bench.workflows.Engine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One of the nodes, as the benchmark sees it. */
final class NodeOfBench implements AutoCloseable {
  private final int number;
  private final Moves moves;
  private final Process process;
  private final CompletableFuture<Void> up = new CompletableFuture<>();
  private final CompletableFuture<Void> started = new CompletableFuture<>();
  private final CompletableFuture<Void> heardAll = new CompletableFuture<>();

  /**
   * @param number by which {@link Moves} knows it
   */
  NodeOfBench(int number, String url, int port, int connections, Moves moves) {
    this.number = number;
    this.moves = moves;
    this.process =
        JavaProcess.start(
            FailoverNode.class,
            List.of("-Xmx512m", "-XX:+UseSerialGC"),
            List.of(url, Integer.toString(port), Integer.toString(connections)));
    Thread.ofPlatform().daemon().name("node-" + number).start(this::listen);
  }

  private void listen() {
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) heard(line);
    } catch (IOException e) {
      up.completeExceptionally(e); // killed in the middle of a line
    }
    IllegalStateException ended = new IllegalStateException("node " + number + " ended");
    up.completeExceptionally(ended);
    started.completeExceptionally(ended);
    heardAll.complete(null);
  }

  private void heard(String line) {
    switch (line) {
      case FailoverNode.UP -> up.complete(null);
      case FailoverNode.STARTED -> started.complete(null);
      default -> {
        long now = System.nanoTime();
        for (String one : line.split(" ")) moves.moved(Integer.parseInt(one), number, now);
      }
    }
  }

  void awaitUp() {
    Engine.within(up);
  }

  void startAll(int workflows) {
    PrintStream orders = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    orders.println(workflows);
    Engine.within(started);
  }

  /** SIGKILL: it leaves nothing in order. Returns when that was sent, and the node has ended. */
  long kill() {
    long now = System.nanoTime();
    process.destroyForcibly();
    awaitEnd();
    return now;
  }

  /** SIGTERM: it drains. Returns when it has ended. */
  void drain() {
    // Process.destroy would also close the pipe, and what moves during the drain would not be
    // heard.
    process.toHandle().destroy();
    awaitEnd();
  }

  private void awaitEnd() {
    try {
      if (!process.waitFor(Engine.LIMIT.toSeconds(), TimeUnit.SECONDS))
        throw new IllegalStateException("node " + number + " does not end");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a node ends", e);
    }
    Engine.within(heardAll);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
