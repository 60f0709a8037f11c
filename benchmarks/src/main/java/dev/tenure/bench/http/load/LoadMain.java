package dev.tenure.bench.http.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.StreamSupport;

/**
 * The process that sends: it is told on its standard input what to do, one JSON object a line, and
 * answers with one line each.
 */
public final class LoadMain {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final BlockingQueue<Optional<JsonNode>> orders = new LinkedBlockingQueue<>();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicBoolean marked = new AtomicBoolean();
  private Optional<Loop> loop = Optional.empty();

  private LoadMain() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    LoadMain load = new LoadMain();
    Thread.ofPlatform().daemon().name("orders").start(load::listen);
    load.work();
  }

  private void listen() {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        switch (line) {
          case "stop" -> stopped.set(true);
          case "mark" -> marked.set(true);
          default -> {
            // Here, and not where the order is carried out: a stop that follows it at once counts.
            stopped.set(false);
            marked.set(false);
            orders.add(Optional.of(JSON.readTree(line)));
          }
        }
      }
      // The benchmark that gave orders has ended.
      stopped.set(true);
      orders.add(Optional.empty());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void work() throws IOException, InterruptedException {
    for (var order = orders.take(); order.isPresent(); order = orders.take()) {
      JsonNode what = order.get();
      if (what.has("open")) open(what.get("open"));
      else run(JSON.treeToValue(what.get("run"), Plan.class));
    }
  }

  private void open(JsonNode where) throws IOException {
    if (loop.isPresent()) loop.get().close();
    List<String> keys =
        StreamSupport.stream(where.get("keys").spliterator(), false).map(JsonNode::asText).toList();
    loop =
        Optional.of(
            new Loop(
                new InetSocketAddress(where.get("host").asText(), where.get("port").asInt()),
                where.get("connections").asInt(),
                keys));
    say("{}");
  }

  private void run(Plan plan) throws IOException {
    Sent sent = loop.orElseThrow().run(plan, stopped::get, () -> marked.compareAndSet(true, false));
    say(JSON.writeValueAsString(sent));
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
