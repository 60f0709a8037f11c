package dev.tenure.persistence.lease;

/**
 * Who holds a lease: a node's address and the incarnation of the process behind it. A process that
 * is started again at the same address is another holder.
 */
public record Holder(String node, long incarnation) {}
