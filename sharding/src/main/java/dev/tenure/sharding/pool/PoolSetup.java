package dev.tenure.sharding.pool;

import java.util.Optional;
import java.util.function.Supplier;
import org.apache.pekko.actor.setup.Setup;

/**
 * Hands the pool of an actor system's dispatcher to other users of the same threads. The code that
 * made the actor system closes the pool when the system has ended.
 */
public final class PoolSetup extends Setup implements AutoCloseable {
  private TaskPool pool;

  synchronized TaskPool poolOr(Supplier<TaskPool> made) {
    if (pool == null) pool = made.get();
    return pool;
  }

  /** Empty when the actor system was configured to use other threads. */
  public synchronized Optional<TaskPool> pool() {
    return Optional.ofNullable(pool);
  }

  @Override
  public void close() {
    pool().ifPresent(TaskPool::close);
  }
}
