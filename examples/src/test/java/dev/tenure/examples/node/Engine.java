package dev.tenure.examples.node;

import dev.tenure.node.NodeBuilder;
import dev.tenure.node.TenureNode;
import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.client.WorkflowClient;
import dev.tenure.sharding.client.WorkflowFailedException;
import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** A node with a database of its own, both real. */
public final class Engine implements AutoCloseable {
  /** Generous: the machine may have other things to do. */
  public static final Duration SOON = Duration.ofSeconds(60);

  private static final Duration LOOK_EVERY = Duration.ofMillis(20);

  private final TestDatabase database;
  private final boolean ownsDatabase;
  private final TenureNode node;

  private Engine(
      TestDatabase database, boolean ownsDatabase, UnaryOperator<NodeBuilder> workflows) {
    this.database = database;
    this.ownsDatabase = ownsDatabase;
    this.node = workflows.apply(on(database)).start();
    node.up().toCompletableFuture().orTimeout(SOON.toSeconds(), TimeUnit.SECONDS).join();
  }

  public static Engine start(UnaryOperator<NodeBuilder> workflows) {
    return new Engine(TestDatabase.empty(), true, workflows);
  }

  /** On a database that outlives it. */
  public static Engine start(TestDatabase database, UnaryOperator<NodeBuilder> workflows) {
    return new Engine(database, false, workflows);
  }

  private static NodeBuilder on(TestDatabase database) {
    return TenureNode.builder()
        .setting("tenure.node.port", 0)
        .setting("tenure.http.port", 0)
        .setting("tenure.storage.url", database.url())
        .setting("tenure.storage.user", LocalPostgres.APPLICATION)
        .setting("tenure.storage.migration-user", LocalPostgres.OWNER);
  }

  public TenureNode node() {
    return node;
  }

  public WorkflowClient workflows() {
    return node.workflows();
  }

  public static void awaitStatus(WorkflowHandle<?> workflow, Status wanted) {
    await(workflow + " to be " + wanted, () -> workflow.describe().status() == wanted);
  }

  public static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + SOON.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) throw new AssertionError("waited in vain for " + what);
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
  }

  /** How it failed. */
  public static Failure failure(WorkflowHandle<?> workflow) {
    try {
      Object result = workflow.result(SOON);
      throw new AssertionError(workflow + " did not fail, it results in " + result);
    } catch (WorkflowFailedException e) {
      if (e.outcome() instanceof Outcome.Failed(Failure failure)) return failure;
      throw e;
    }
  }

  @Override
  public void close() {
    node.close();
    if (ownsDatabase) database.close();
  }
}
