package dev.tenure.client.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The worker protocol as one queue in memory speaks it, with the troubles that a test wants. */
final class FakeServer implements AutoCloseable {
  static final Duration SOON = Duration.ofSeconds(30);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** A request that came. */
  record Seen(String word, JsonNode body, long at) {
    JsonNode task() {
      return body.at("/tasks/0");
    }
  }

  /** An answer instead of the usual one. */
  record Trouble(int status, String code) {}

  final List<Seen> seen = new CopyOnWriteArrayList<>();
  final Map<String, ConcurrentLinkedQueue<Trouble>> troubles = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<ObjectNode> tasks = new ConcurrentLinkedQueue<>();

  /** Tokens of tasks that no worker has any more, by why. */
  final Map<String, String> rejected = new ConcurrentHashMap<>();

  volatile boolean heartbeatsFail;

  /** What holds up the answers to takes that have taken something; none when absent. */
  volatile Optional<CountDownLatch> heldTakes = Optional.empty();

  /** Tasks that were taken. */
  final AtomicInteger taken = new AtomicInteger();

  private final HttpServer server;

  FakeServer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  static ObjectNode task(String token, String activity, String input) {
    try {
      ObjectNode task =
          JSON.createObjectNode()
              .put("token", token)
              .put("workflowId", "w")
              .put("runId", "r")
              .put("operationId", activity + "#1")
              .put("attempt", 1)
              .put("delivery", 1)
              .put("activity", activity)
              .put("idempotencyKey", "tenure:w:r:" + activity + "#1")
              .put("attemptKey", "tenure:w:" + activity + "#1:1")
              .put("visibleUntil", "2099-01-01T00:00:00Z")
              .put("heartbeatTimeoutMs", 30_000);
      task.set("input", JSON.readTree(input));
      return task;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void offer(ObjectNode task) {
    tasks.add(task);
  }

  void offer(String token, String activity, String input) {
    offer(task(token, activity, input));
  }

  /** The next requests of this kind are answered so. */
  void trouble(String word, Trouble... next) {
    troubles.computeIfAbsent(word, key -> new ConcurrentLinkedQueue<>()).addAll(List.of(next));
  }

  List<Seen> seen(String word) {
    return seen.stream().filter(one -> one.word.equals(word)).toList();
  }

  /** The first report of this kind, waited for. */
  JsonNode first(String word) {
    await("a " + word, () -> !seen(word).isEmpty());
    return seen(word).getFirst().task();
  }

  static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + SOON.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) throw new AssertionError(what + ": not within " + SOON);
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      String word = path.substring(path.lastIndexOf('/') + 1);
      JsonNode body = JSON.readTree(exchange.getRequestBody());
      seen.add(new Seen(word, body, System.nanoTime()));
      Trouble trouble = troubles.getOrDefault(word, new ConcurrentLinkedQueue<>()).poll();
      if (heartbeatsFail && word.equals("heartbeat")) trouble = new Trouble(503, "Overloaded");
      if (trouble != null) {
        answer(
            exchange,
            trouble.status,
            JSON.createObjectNode().put("code", trouble.code).put("detail", "as the test wants"));
        return;
      }
      ObjectNode answer = JSON.createObjectNode();
      if (word.equals("take")) take(body, answer.putArray("tasks"));
      else report(body, answer.putArray("tasks"));
      answer(exchange, 200, answer);
    }
  }

  private void take(JsonNode body, ArrayNode answer) {
    long deadline =
        System.nanoTime() + Duration.ofSeconds(body.get("waitSeconds").asInt()).toNanos();
    while (tasks.isEmpty() && System.nanoTime() < deadline)
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    while (answer.size() < body.get("max").asInt() && !tasks.isEmpty()) answer.add(tasks.poll());
    taken.addAndGet(answer.size());
    if (!answer.isEmpty()) heldTakes.ifPresent(FakeServer::waitFor);
  }

  private static void waitFor(CountDownLatch latch) {
    try {
      if (!latch.await(SOON.toSeconds(), TimeUnit.SECONDS))
        throw new AssertionError("the answer was not let go within " + SOON);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void report(JsonNode body, ArrayNode answers) {
    for (JsonNode task : body.get("tasks")) {
      String why = rejected.get(task.get("token").asText());
      ObjectNode answer = answers.addObject().put("accepted", why == null);
      if (why != null) answer.putObject("error").put("code", why).put("detail", "as it is");
    }
  }

  private static void answer(HttpExchange exchange, int status, JsonNode body) throws IOException {
    byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
