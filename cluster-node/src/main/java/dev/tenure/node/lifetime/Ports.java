package dev.tenure.node.lifetime;

import dev.tenure.node.config.ConfigurationSources;
import dev.tenure.node.config.Endpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;

/** Checks whether the process can listen on an endpoint, before anything else is started. */
public final class Ports {
  private Ports() {}

  /** Throws a failure that names the setting when the endpoint cannot be listened on. */
  public static void requireFree(String section, Endpoint endpoint) {
    try {
      listen(endpoint).close();
    } catch (UnknownHostException e) {
      throw new StartFailure(
          "%s.host: the name '%s' is not known here".formatted(section, endpoint.host()), e);
    } catch (BindException e) {
      throw new StartFailure(
          "%s.port: cannot listen on %s (%s); stop what uses it, or set another (environment: %s)"
              .formatted(
                  section,
                  endpoint,
                  e.getMessage(),
                  ConfigurationSources.variableOf(section + ".port")),
          e);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot listen on " + endpoint, e);
    }
  }

  /** The wanted port when it is free on this host, else any that is. */
  public static int freeLike(Endpoint wanted) {
    try (ServerSocket socket = listen(wanted)) {
      return socket.getLocalPort();
    } catch (BindException e) {
      return freeLike(new Endpoint(wanted.host(), 0));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot listen on " + wanted, e);
    }
  }

  private static ServerSocket listen(Endpoint endpoint) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      // Connections of a predecessor that are still winding down are no reason to refuse.
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getByName(endpoint.host()), endpoint.port()));
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }
}
