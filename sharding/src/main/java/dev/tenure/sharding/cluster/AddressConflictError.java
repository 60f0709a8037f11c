package dev.tenure.sharding.cluster;

/** A node cannot take part under the address that it announces. Its settings must be changed. */
public final class AddressConflictError extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private AddressConflictError(String message) {
    super(message);
  }

  static AddressConflictError taken(String node) {
    return new AddressConflictError(
        "another process announces itself as %s and gives signs of life: this one may not use the same address. Give each node a tenure.node.host and tenure.node.port by which the others reach it and no other"
            .formatted(node));
  }

  static AddressConflictError mixed(String self, String member) {
    return new AddressConflictError(
        "this node announces itself as %s, and a living member of the cluster as %s: a loopback address is reached on its own machine only, so the two could not work together. Set tenure.node.host of every node to a name or address that all others reach"
            .formatted(self, member));
  }
}
