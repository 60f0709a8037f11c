package dev.tenure.node;

import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.storage.TestDatabase;

/** What all nodes of these tests have in common. */
public final class AnyNode {
  private AnyNode() {}

  /** A node at free ports. */
  public static NodeBuilder on(TestDatabase database) {
    return TenureNode.builder()
        .setting("tenure.node.port", 0)
        .setting("tenure.http.port", 0)
        .setting("tenure.storage.url", database.url())
        .setting("tenure.storage.user", LocalPostgres.APPLICATION)
        .setting("tenure.storage.migration-user", LocalPostgres.OWNER);
  }
}
