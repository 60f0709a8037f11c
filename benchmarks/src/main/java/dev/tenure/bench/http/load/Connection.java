package dev.tenure.bench.http.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * One connection with one request under way at most. It reads of an answer what a load has to know
 * and no more, so that the machine's processors are left to the server.
 */
final class Connection {
  private static final int BUFFER_BYTES = 16 * 1024;
  private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] AGAIN = "\r\nretry-after:".getBytes(StandardCharsets.US_ASCII);
  private static final int STATUS_AT = "HTTP/1.1 ".length();

  /** An answer; its text is read on demand. */
  record Answer(int status, boolean saysWhenToRetry, byte[] bytes, int length) {
    String text() {
      return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
  }

  private final SocketChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final byte[] received = new byte[BUFFER_BYTES];
  private int length;

  /** When the request under way was due, and which one it is. */
  long dueAt;

  private Connection(SocketChannel channel) {
    this.channel = channel;
  }

  static Connection open(InetSocketAddress server, Selector selector) throws IOException {
    SocketChannel channel = SocketChannel.open(server);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    Connection connection = new Connection(channel);
    channel.register(selector, SelectionKey.OP_READ, connection);
    return connection;
  }

  void send(Request request, long number, long due) throws IOException {
    dueAt = due;
    length = 0;
    buffer.clear();
    request.write(number, buffer);
    buffer.flip();
    // A request is smaller than the kernel's buffer of a connection on which nothing is under way.
    while (buffer.hasRemaining()) channel.write(buffer);
  }

  /** Reads what is there; empty as long as the answer is not complete. */
  Optional<Answer> receive() throws IOException {
    buffer.clear();
    int count = channel.read(buffer);
    if (count < 0) throw new IOException("the server closed a connection");
    if (length + count > received.length) throw new IOException("an answer is too long");
    buffer.flip();
    buffer.get(received, length, count);
    length += count;
    int end = endOfHead();
    if (end < 0) return Optional.empty();
    int lengthAt = find(LENGTH, end);
    int body = lengthAt < 0 ? 0 : number(lengthAt + LENGTH.length);
    if (length < end + body) return Optional.empty();
    return Optional.of(new Answer(number(STATUS_AT), find(AGAIN, end) >= 0, received, end + body));
  }

  /** Behind the empty line. */
  private int endOfHead() {
    for (int i = 3; i < length; i++) {
      if (received[i] == '\n' && received[i - 2] == '\n') return i + 1;
    }
    return -1;
  }

  private int find(byte[] lowerCase, int end) {
    for (int at = 0; at + lowerCase.length <= end; at++) {
      int same = 0;
      while (same < lowerCase.length && lower(received[at + same]) == lowerCase[same]) same++;
      if (same == lowerCase.length) return at;
    }
    return -1;
  }

  private static int lower(byte b) {
    return b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b;
  }

  private int number(int from) {
    int at = from;
    while (received[at] == ' ') at++;
    int value = 0;
    for (; received[at] >= '0' && received[at] <= '9'; at++)
      value = value * 10 + received[at] - '0';
    if (at == from) {
      throw new IllegalStateException(
          "no number in "
              + new String(received, 0, length, StandardCharsets.UTF_8).toLowerCase(Locale.ROOT));
    }
    return value;
  }

  void close() throws IOException {
    channel.close();
  }
}
