package dev.tenure.activities.http;

import dev.tenure.activities.outbound.Target;
import dev.tenure.workflow.NoEffectException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One connection to an address that was checked, for one request of the JDK's HTTP client.
 *
 * <p>That client looks up hosts by itself, and a look-up after the check can lead elsewhere. So it
 * is told to use a proxy, and does not look up anything: the proxy is a listener of this class on
 * the loopback address, for this call only, which hands the bytes on to the checked address. The
 * URL stays as it is, and with it the Host header, the server name of TLS and the name that the
 * certificate must have; with https this class sees encrypted bytes only.
 *
 * <p>The first connection with the call's secret is served, every other one is closed: other
 * processes of the machine cannot send through it, and the client cannot send a request a second
 * time, as it otherwise does when a connection ends early.
 */
final class CheckedConnection implements AutoCloseable {
  /** The client keeps headers that begin so from servers behind a tunnel. */
  static final String SECRET_HEADER = "Proxy-Tenure-Call";

  /** How many connections are looked at for the call's secret. */
  static final int ACCEPTED_MAX = 16;

  private static final int HEAD_MILLIS_MAX = 10_000;
  private static final int BUFFER_BYTES = 16 << 10;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Target target;
  private final Socket server;
  private final ServerSocket listener;
  private final String secret;
  private final Set<Socket> clients = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean isServing = new AtomicBoolean();
  private volatile boolean isRequestOut;
  private volatile boolean isClosed;

  private CheckedConnection(Target target, Socket server, ServerSocket listener) {
    this.target = target;
    this.server = server;
    this.listener = listener;
    byte[] bytes = new byte[16];
    RANDOM.nextBytes(bytes);
    this.secret = HexFormat.of().formatHex(bytes);
  }

  /**
   * Connects to the first of the addresses that can be reached.
   *
   * @throws NoEffectException when none can: nothing was sent
   */
  static CheckedConnection open(
      Target target, List<InetAddress> checked, Duration connectMax, TimeLeft time) {
    Socket server = connect(target, checked, connectMax, time);
    try {
      ServerSocket listener = new ServerSocket(0, ACCEPTED_MAX, InetAddress.getLoopbackAddress());
      CheckedConnection connection = new CheckedConnection(target, server, listener);
      Thread.ofVirtual().name("tenure-http-accept").start(connection::accept);
      return connection;
    } catch (IOException e) {
      close(server);
      throw new NoEffectException("The call could not be prepared: " + e.getMessage(), e);
    }
  }

  private static Socket connect(
      Target target, List<InetAddress> checked, Duration connectMax, TimeLeft time) {
    IOException last = new IOException("there was no time left");
    for (InetAddress address : checked) {
      if (time.isOver()) break;
      // Without NO_PROXY the process's settings could send it through a SOCKS server.
      Socket socket = new Socket(Proxy.NO_PROXY);
      try {
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(address, target.port()), time.millis(connectMax));
        return socket;
      } catch (IOException e) {
        close(socket);
        last = e;
      }
    }
    throw new NoEffectException(
        "%s cannot be reached: %s.".formatted(target.origin(), last.getMessage()), last);
  }

  InetSocketAddress proxy() {
    return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
  }

  /** What the client has to show as {@link #SECRET_HEADER}. */
  String secret() {
    return secret;
  }

  /** Whether the server can have got some of the request. */
  boolean isRequestOut() {
    return isRequestOut;
  }

  private void accept() {
    // The port is kept until the end, or another process could take it and be sent the request.
    for (int accepted = 0; accepted < ACCEPTED_MAX; accepted++) {
      try {
        Socket client = listener.accept();
        clients.add(client);
        // Closed before it was on the list: nobody else would close it.
        if (isClosed) close(client);
        Thread.ofVirtual().name("tenure-http-send").start(() -> serve(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket client) {
    try {
      client.setSoTimeout(HEAD_MILLIS_MAX);
      client.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(client.getInputStream());
      RequestHead head = RequestHead.read(in);
      boolean isForTunnel = head.method().equals("CONNECT");
      if (!head.has(SECRET_HEADER, secret)
          || isForTunnel != target.isSecure()
          || !isServing.compareAndSet(false, true))
        throw new IOException("It is not the call that this listener is for.");
      client.setSoTimeout(0);
      if (isForTunnel) answer(client);
      else send(head);
      Thread.ofVirtual().name("tenure-http-receive").start(() -> receive(client));
      handOn(in);
    } catch (IOException refused) {
      // Who was connected learns it as the end of the connection.
      close(client);
    }
  }

  /** Hands on what the client sends after the head. */
  private void handOn(InputStream in) throws IOException {
    try {
      in.transferTo(server.getOutputStream());
    } catch (IOException ended) {
      // A server may answer and close before it has read everything. The client looks at an answer
      // only when it has sent its body, so the rest is taken from it.
      in.transferTo(OutputStream.nullOutputStream());
    }
  }

  private static void answer(Socket client) throws IOException {
    client.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
  }

  private void send(RequestHead head) throws IOException {
    String uri = target.uri().toString();
    byte[] bytes = head.forServer(uri.substring(0, uri.indexOf('/', "https://".length())));
    isRequestOut = true;
    server.getOutputStream().write(bytes);
  }

  /** Hands on what the server answers. */
  private void receive(Socket client) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try {
      InputStream in = server.getInputStream();
      OutputStream out = client.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        // With TLS the request is sent only after the server's first words.
        isRequestOut = true;
        out.write(buffer, 0, read);
      }
      client.shutdownOutput();
    } catch (IOException ended) {
      // An answer without a length would look complete if the connection ended in order.
      reset(client);
    }
  }

  private static void reset(Socket client) {
    try {
      client.setSoLinger(true, 0);
    } catch (IOException alreadyClosed) {
      // It has ended, which is what is wanted.
    }
    close(client);
  }

  @Override
  public void close() {
    isClosed = true;
    close(listener);
    close(server);
    // Ended in order, each would hold a port of this machine for a minute more.
    clients.forEach(CheckedConnection::reset);
  }

  private static void close(AutoCloseable socket) {
    try {
      socket.close();
    } catch (Exception e) {
      // Nothing more can be done with it, and what it was opened for is over.
    }
  }
}
