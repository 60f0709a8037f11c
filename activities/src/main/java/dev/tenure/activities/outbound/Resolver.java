package dev.tenure.activities.outbound;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Finds the addresses of a host. It is asked once for each connection; what it answers is checked,
 * and one of these very addresses is connected to.
 */
@FunctionalInterface
public interface Resolver {
  List<InetAddress> addresses(String host) throws UnknownHostException;

  /** As the JVM is set to. */
  static Resolver system() {
    return host -> List.of(InetAddress.getAllByName(host));
  }
}
