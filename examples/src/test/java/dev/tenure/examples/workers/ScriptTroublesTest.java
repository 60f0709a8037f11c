package dev.tenure.examples.workers;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the published workers without a library do when a server has troubles. */
class ScriptTroublesTest {
  private static final Duration RETRY_AFTER = Duration.ofSeconds(3);

  @TempDir Path folder;
  private final List<Long> takes = new CopyOnWriteArrayList<>();
  private final List<String> completed = new CopyOnWriteArrayList<>();
  private final AtomicInteger rejected = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private final CountDownLatch reported = new CountDownLatch(1);
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle);
    server.start();
  }

  @AfterEach
  void stop() {
    reported.countDown();
    server.stop(0);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      if (path.endsWith("/take")) take(exchange);
      else if (path.endsWith("/heartbeat")) heartbeat(exchange, body);
      else {
        completed.add(path.substring(path.lastIndexOf('/') + 1) + " " + body);
        answer(exchange, 200, "{\"tasks\":[{\"accepted\":true}]}");
        reported.countDown();
      }
    }
  }

  private void take(HttpExchange exchange) throws IOException {
    takes.add(System.nanoTime());
    switch (takes.size()) {
      case 1 -> {
        exchange.getResponseHeaders().add("Retry-After", "" + RETRY_AFTER.toSeconds());
        answer(exchange, 429, "{}");
      }
      // The connection breaks within the answer.
      case 2 -> {
        exchange.sendResponseHeaders(200, 1_000);
        exchange.getResponseBody().write("{\"tasks\":[".getBytes(StandardCharsets.UTF_8));
      }
      case 3 -> answer(exchange, 200, task("lost"));
      case 4 -> answer(exchange, 200, task("kept"));
      default -> {
        await();
        answer(exchange, 200, "{\"tasks\":[]}");
      }
    }
  }

  private void await() {
    try {
      assertThat(reported.await(120, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void heartbeat(HttpExchange exchange, String body) throws IOException {
    if (body.contains("kept")) {
      refused.incrementAndGet();
      answer(exchange, 400, "{\"code\":\"InvalidRequest\"}");
      return;
    }
    rejected.incrementAndGet();
    answer(
        exchange,
        200,
        "{\"tasks\":[{\"accepted\":false,\"error\":{\"code\":\"TaskGone\",\"detail\":\"It is"
            + " gone.\"}}]}");
  }

  private static String task(String token) {
    return "{\"tasks\":[{\"token\":\"%s\",\"heartbeatTimeoutMs\":300,\"input\":{\"name\":\"Ada\"}}]}"
        .formatted(token);
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  /** The published worker, whose activity takes some seconds. */
  private void bears(Script script, String greeting, String slowly) throws Exception {
    script.need();
    String published = Files.readString(script.path());
    assertThat(published).containsOnlyOnce(greeting);
    Path slow = folder.resolve(script.path().getFileName());
    Files.writeString(slow, published.replace(greeting, slowly));
    File log = folder.resolve("worker.log").toFile();
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    Process worker =
        new ProcessBuilder(script.command(slow, url, "greetings"))
            .redirectErrorStream(true)
            .redirectOutput(log)
            .start();
    try {
      await();
      assertThat(Duration.ofNanos(takes.get(1) - takes.get(0)))
          .as("it keeps to Retry-After")
          .isGreaterThan(RETRY_AFTER.minusMillis(500));
      assertThat(rejected.get()).isPositive();
      assertThat(refused.get()).isPositive();
      // The lost one was taken first, and would have been reported first.
      assertThat(completed).hasSize(1);
      assertThat(completed.getFirst()).startsWith("complete").contains("kept", "Hello, Ada");
      assertThat(worker.isAlive()).isTrue();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(Files.readString(log.toPath()), e);
    } finally {
      worker.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void theWorkerInPython() throws Exception {
    bears(Script.PYTHON, "return \"Hello", "time.sleep(2); return \"Hello");
  }

  @Test
  void theWorkerInJavaScript() throws Exception {
    bears(
        Script.JAVASCRIPT,
        "async (task) => `Hello",
        "async (task) => (await new Promise((end) => setTimeout(end, 2000))) ?? `Hello");
  }
}
