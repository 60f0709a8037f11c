package dev.tenure.client;

import dev.tenure.node.NodeBuilder;
import dev.tenure.node.TenureNode;
import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.storage.TestDatabase;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** A node in this process, over a real database, with its doors open. */
final class RealNode implements AutoCloseable {
  static final Duration SOON = Duration.ofSeconds(60);

  final TestDatabase database;
  private final TenureNode node;

  private final boolean owner;

  private RealNode(TestDatabase database, boolean owner, UnaryOperator<NodeBuilder> more) {
    this.database = database;
    this.owner = owner;
    node =
        more.apply(
                TenureNode.builder()
                    .setting("tenure.node.port", 0)
                    .setting("tenure.http.port", 0)
                    .setting("tenure.storage.url", database.url())
                    .setting("tenure.storage.user", LocalPostgres.APPLICATION)
                    .setting("tenure.storage.migration-user", LocalPostgres.OWNER)
                    .workflow(Basket.class)
                    .workflow(Basket.Echo.class)
                    .workflow(Basket.Failing.class))
            .start();
    node.up().toCompletableFuture().orTimeout(SOON.toSeconds(), TimeUnit.SECONDS).join();
  }

  static RealNode open() {
    return start(RealNode::opened);
  }

  static RealNode start(UnaryOperator<NodeBuilder> more) {
    return new RealNode(TestDatabase.empty(), true, more);
  }

  /** Another node of the same cluster; the first one outlives it. */
  RealNode second() {
    return new RealNode(database, false, RealNode::opened);
  }

  private static NodeBuilder opened(NodeBuilder node) {
    return node.setting("tenure.http.access", "open");
  }

  URI uri() {
    return node.http();
  }

  static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + SOON.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) throw new AssertionError(what + ": not within " + SOON);
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  @Override
  public void close() {
    node.close();
    if (owner) database.close();
  }
}
