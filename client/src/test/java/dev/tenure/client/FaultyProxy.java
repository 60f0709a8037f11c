package dev.tenure.client;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** Stands between a client and a node, and loses what it is told to lose. */
final class FaultyProxy implements AutoCloseable {
  enum Fault {
    NONE,
    /** The connection is cut before the node saw anything of the request. */
    CUT_BEFORE,
    /** The node has carried it out and answered; nobody hears of it. */
    CUT_AFTER,
    /** The answer breaks off in the middle. */
    CUT_WITHIN,
    /** A node that is too busy, and says when to come again. */
    BUSY,
    /** Something in between answers, in no words of the API. */
    BAD_GATEWAY
  }

  /** A message of HTTP, and what can be seen of it. */
  record Message(String head, byte[] body) {
    Optional<String> header(String name) {
      String start = name.toLowerCase(Locale.ROOT) + ":";
      return head.lines()
          .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(start))
          .map(line -> line.substring(start.length()).strip())
          .findFirst();
    }

    byte[] bytes() {
      byte[] first = head.getBytes(StandardCharsets.ISO_8859_1);
      byte[] all = Arrays.copyOf(first, first.length + body.length);
      System.arraycopy(body, 0, all, first.length, body.length);
      return all;
    }

    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }
  }

  static final int RETRY_AFTER_SECONDS = 3;

  private static final String OVERLOADED =
      "{\"status\":503,\"code\":\"Overloaded\",\"detail\":\"come back later\"}";

  private final URI target;
  private final ServerSocket server;
  private final ConcurrentLinkedQueue<Fault> faults = new ConcurrentLinkedQueue<>();
  private volatile Supplier<Fault> otherwise = () -> Fault.NONE;
  private final List<Message> seen = new CopyOnWriteArrayList<>();

  FaultyProxy(URI target) {
    this.target = target;
    try {
      this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getLocalPort());
  }

  /** What becomes of the next requests; those after them pass. */
  void next(Fault... those) {
    seen.clear();
    faults.clear();
    faults.addAll(List.of(those));
    otherwise = () -> Fault.NONE;
  }

  void always(Supplier<Fault> chosen) {
    seen.clear();
    faults.clear();
    otherwise = chosen;
  }

  /** The requests since the faults were chosen. */
  List<Message> seen() {
    return List.copyOf(seen);
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        Thread.ofVirtual().start(() -> serve(client));
      } catch (IOException e) {
        // Closed, by the test's end.
        return;
      }
    }
  }

  private void serve(Socket client) {
    try (client) {
      InputStream in = new BufferedInputStream(client.getInputStream());
      Optional<Message> request;
      while ((request = read(in)).isPresent()) {
        seen.add(request.get());
        Fault listed = faults.poll();
        if (!pass(request.get(), listed == null ? otherwise.get() : listed, client)) return;
      }
    } catch (IOException e) {
      // The client has gone: that is its right.
    }
  }

  private boolean pass(Message request, Fault fault, Socket client) throws IOException {
    switch (fault) {
      case NONE -> client.getOutputStream().write(forward(request).bytes());
      case CUT_BEFORE -> {
        return false;
      }
      case CUT_AFTER -> {
        forward(request);
        return false;
      }
      case CUT_WITHIN -> {
        byte[] answer = forward(request).bytes();
        client.getOutputStream().write(answer, 0, answer.length - 3);
        return false;
      }
      case BUSY ->
          client
              .getOutputStream()
              .write(
                  answer(
                      "503 Service Unavailable\r\nRetry-After: " + RETRY_AFTER_SECONDS,
                      OVERLOADED));
      case BAD_GATEWAY -> {
        forward(request);
        client.getOutputStream().write(answer("502 Bad Gateway", "<html>oops</html>"));
      }
    }
    return true;
  }

  private static byte[] answer(String status, String body) {
    return "HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(status, body.length(), body)
        .getBytes(StandardCharsets.US_ASCII);
  }

  private Message forward(Message request) throws IOException {
    try (Socket node = new Socket(target.getHost(), target.getPort())) {
      node.getOutputStream().write(request.bytes());
      return read(new BufferedInputStream(node.getInputStream()))
          .orElseThrow(() -> new EOFException("the node gave no answer"));
    }
  }

  /** The next message; empty at the end of the stream. */
  private static Optional<Message> read(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) return Optional.empty();
      head.write(next);
    }
    Message bare = new Message(head.toString(StandardCharsets.ISO_8859_1), new byte[0]);
    int length = bare.header("Content-Length").map(Integer::parseInt).orElse(0);
    return Optional.of(new Message(bare.head(), in.readNBytes(length)));
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
