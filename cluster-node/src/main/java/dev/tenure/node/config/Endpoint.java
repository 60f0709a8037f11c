package dev.tenure.node.config;

/** Where something listens; port 0 is any free one. */
public record Endpoint(String host, int port) {
  public static final int PORT_MAX = 65_535;

  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
