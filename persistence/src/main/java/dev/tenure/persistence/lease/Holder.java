package dev.tenure.persistence.lease;

import dev.tenure.persistence.commit.StoredText;

/**
 * Who holds a lease: a node's address and the incarnation of the process behind it. A process that
 * is started again at the same address is another holder.
 */
public record Holder(String node, long incarnation) {
  public static final int MAX_NODE_BYTES = 512;

  public Holder {
    StoredText.require("a holder's node", node, MAX_NODE_BYTES);
  }
}
