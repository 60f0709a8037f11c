package dev.tenure.activities.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server that speaks no proper HTTP. It reads the head of a request, and writes what it likes.
 */
final class RawServer implements AutoCloseable {
  /** What it does with a connection whose request it has read. */
  interface Behaviour {
    void answer(Socket connection, OutputStream out) throws IOException;
  }

  private final ServerSocket listener;
  private final Behaviour behaviour;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicInteger connections = new AtomicInteger();

  private RawServer(Behaviour behaviour) {
    this.behaviour = behaviour;
    try {
      this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  static RawServer start(Behaviour behaviour) {
    return new RawServer(behaviour);
  }

  /** Writes the text and ends the connection. */
  static RawServer saying(String text) {
    return start((connection, out) -> out.write(text.getBytes(StandardCharsets.ISO_8859_1)));
  }

  /** Writes the text and lets the connection stand. */
  static RawServer sayingWithoutEnd(String text) {
    return start(
        (connection, out) -> {
          out.write(text.getBytes(StandardCharsets.ISO_8859_1));
          out.flush();
          connection.getInputStream().read();
        });
  }

  String url(String path) {
    return "http://127.0.0.1:%d%s".formatted(listener.getLocalPort(), path);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** How many requests it has read the head of. */
  int requests() {
    return requests.get();
  }

  int connections() {
    return connections.get();
  }

  private void accept() {
    while (true) {
      try {
        Socket connection = listener.accept();
        connections.incrementAndGet();
        open.add(connection);
        Thread.ofVirtual().start(() -> serve(connection));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      if (!readHead(connection.getInputStream())) return;
      requests.incrementAndGet();
      behaviour.answer(connection, connection.getOutputStream());
      connection.getOutputStream().flush();
    } catch (IOException ended) {
      // The test looks at what the other side makes of it.
    }
  }

  private static boolean readHead(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (!head.toString().endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) return false;
      head.append((char) next);
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket connection : open) connection.close();
  }
}
