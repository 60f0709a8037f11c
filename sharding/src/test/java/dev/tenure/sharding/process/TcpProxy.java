package dev.tenure.sharding.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands before a port of this machine, and can lose everything on the way, as a network does whose
 * route has gone: connections stay open, and nothing comes through.
 */
public final class TcpProxy implements AutoCloseable {
  private static final int BUFFER_BYTES = 16 * 1024;
  private static final int CONNECT_LIMIT_MS = 2_000;

  private final ServerSocket listener;
  private final int target;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private boolean cut;

  private TcpProxy(ServerSocket listener, int target) {
    this.listener = listener;
    this.target = target;
  }

  /** Listens on a port of its own, see {@link #port}. */
  public static TcpProxy before(int target) {
    try {
      TcpProxy proxy =
          new TcpProxy(new ServerSocket(0, 200, InetAddress.getByName("127.0.0.1")), target);
      Thread.ofVirtual().name("proxy-of-" + target).start(proxy::accept);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** From now on nothing comes through. */
  public synchronized void cut() {
    cut = true;
  }

  /** What was held back is lost with its connections; new ones come through. */
  public synchronized void heal() {
    open.forEach(TcpProxy::close);
    cut = false;
    notifyAll();
  }

  private synchronized void awaitWay() throws InterruptedException {
    while (cut) wait();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        open.add(client);
        Thread.ofVirtual().start(() -> serve(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket client) {
    Socket server = new Socket();
    open.add(server);
    try {
      awaitWay();
      server.connect(new InetSocketAddress("127.0.0.1", target), CONNECT_LIMIT_MS);
      Thread back = Thread.ofVirtual().start(() -> pump(server, client));
      pump(client, server);
      back.join();
    } catch (IOException e) {
      // nobody listens there: the client learns it by the end of its connection
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close(client);
      close(server);
      open.remove(client);
      open.remove(server);
    }
  }

  private void pump(Socket from, Socket to) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try {
      for (int read = from.getInputStream().read(buffer);
          read >= 0;
          read = from.getInputStream().read(buffer)) {
        awaitWay();
        to.getOutputStream().write(buffer, 0, read);
      }
      awaitWay();
      to.shutdownOutput();
    } catch (IOException e) {
      close(from);
      close(to);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    heal();
  }
}
