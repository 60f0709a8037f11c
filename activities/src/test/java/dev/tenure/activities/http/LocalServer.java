package dev.tenure.activities.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/** A server on the loopback address that says what it is told to, and keeps what it was asked. */
final class LocalServer implements AutoCloseable {
  /** What it was asked. */
  record Asked(String method, String uri, Map<String, List<String>> headers, String body) {
    Optional<String> header(String name) {
      return headers.entrySet().stream()
          .filter(header -> header.getKey().equalsIgnoreCase(name))
          .map(header -> String.join(", ", header.getValue()))
          .findFirst();
    }
  }

  /** What it answers. */
  interface Answering {
    void answer(HttpExchange exchange) throws IOException;
  }

  private final HttpServer server;
  private final boolean isSecure;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Asked> asked = new CopyOnWriteArrayList<>();
  private final Map<String, Answering> paths = new ConcurrentHashMap<>();
  private final CountDownLatch over = new CountDownLatch(1);

  private LocalServer(HttpServer server, boolean isSecure) {
    this.server = server;
    this.isSecure = isSecure;
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  static LocalServer start() {
    try {
      return new LocalServer(HttpServer.create(anyPort(), 0), false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static LocalServer start(SSLContext tls) {
    try {
      HttpsServer server = HttpsServer.create(anyPort(), 0);
      server.setHttpsConfigurator(new HttpsConfigurator(tls));
      return new LocalServer(server, true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** A URL that names the host as given. */
  String url(String host, String path) {
    return "%s://%s:%d%s".formatted(isSecure ? "https" : "http", host, port(), path);
  }

  String url(String path) {
    return url("127.0.0.1", path);
  }

  List<Asked> asked() {
    return asked;
  }

  LocalServer on(String path, Answering answering) {
    paths.put(path, answering);
    return this;
  }

  LocalServer on(String path, int status, String type, String body) {
    return on(
        path,
        exchange -> {
          if (!type.isEmpty()) exchange.getResponseHeaders().set("Content-Type", type);
          say(exchange, status, body);
        });
  }

  static void say(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    if (bytes.length > 0) exchange.getResponseBody().write(bytes);
  }

  /** Waits until the server is closed: an answer that never comes. */
  void hang() {
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      asked.add(
          new Asked(
              exchange.getRequestMethod(),
              exchange.getRequestURI().toString(),
              Map.copyOf(exchange.getRequestHeaders()),
              body));
      Answering answering = paths.get(exchange.getRequestURI().getPath());
      if (answering == null) say(exchange, 404, "no such path");
      else answering.answer(exchange);
    }
  }

  @Override
  public void close() {
    over.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
