package dev.tenure.sharding.crash;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;

/**
 * The outside world: takes payments over HTTP, and keeps each call. It lives in the test's process,
 * so it outlives the nodes that call it.
 */
final class Receiver implements AutoCloseable {
  private final HttpServer server;
  private final List<String> calls = new ArrayList<>();
  private final Map<String, String> receipts = new LinkedHashMap<>();

  Receiver() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/pay", exchange -> answer(exchange, 200, pay(key(exchange))));
    server.createContext("/seen", this::seen);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  private static String key(HttpExchange exchange) {
    return URLDecoder.decode(
        exchange.getRequestURI().getRawQuery().substring("key=".length()), StandardCharsets.UTF_8);
  }

  private synchronized String pay(String key) {
    calls.add(key);
    receipts.putIfAbsent(key, "receipt " + receipts.size());
    return receipts.get(key);
  }

  private void seen(HttpExchange exchange) throws IOException {
    String receipt;
    synchronized (this) {
      receipt = receipts.get(key(exchange));
    }
    if (receipt == null) answer(exchange, 404, "none");
    else answer(exchange, 200, receipt);
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    try (var out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  /** How often it was called for that workflow. */
  synchronized long calls(String workflow) {
    return calls.stream().filter(key -> key.startsWith("tenure:" + workflow + ":")).count();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
