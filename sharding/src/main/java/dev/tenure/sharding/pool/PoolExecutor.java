package dev.tenure.sharding.pool;

import com.typesafe.config.Config;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.dispatch.DispatcherPrerequisites;
import org.apache.pekko.dispatch.ExecutorServiceConfigurator;
import org.apache.pekko.dispatch.ExecutorServiceFactory;

/**
 * The executor of a dispatcher that runs its actors on a {@link TaskPool}: that of the actor
 * system's {@link PoolSetup}, or one of its own where there is none. It is named in the settings of
 * the dispatcher.
 */
public final class PoolExecutor extends ExecutorServiceConfigurator {
  /** On one core, too, one thread can be in a task that takes long. */
  private static final int THREADS_MIN = 2;

  private static final String NAME = "tenure-pool";

  private final Optional<PoolSetup> setup;

  public PoolExecutor(Config config, DispatcherPrerequisites prerequisites) {
    super(config, prerequisites);
    this.setup = prerequisites.settings().setup().get(PoolSetup.class);
  }

  @Override
  public ExecutorServiceFactory createExecutorServiceFactory(String id, ThreadFactory threads) {
    if (setup.isEmpty()) return () -> new Service(pool(threads), true);
    // At once: the other users of the pool ask for it as soon as there is an actor system.
    TaskPool shared = setup.get().poolOr(() -> pool(threads));
    return () -> new Service(shared, false);
  }

  private static TaskPool pool(ThreadFactory threads) {
    int cores = Runtime.getRuntime().availableProcessors();
    return new TaskPool(Math.max(THREADS_MIN, cores), NAME, threads);
  }

  /** What the dispatcher sees of the pool; it may end this one and ask for the next. */
  private static final class Service extends AbstractExecutorService {
    private final TaskPool pool;
    private final boolean isOwn;
    private volatile boolean shutDown;

    private Service(TaskPool pool, boolean isOwn) {
      this.pool = pool;
      this.isOwn = isOwn;
    }

    @Override
    public void execute(Runnable task) {
      if (shutDown) throw new RejectedExecutionException("The dispatcher was shut down.");
      pool.execute(TaskKind.ENGINE, task);
    }

    @Override
    public void shutdown() {
      shutDown = true;
      if (isOwn) pool.close();
    }

    @Override
    public List<Runnable> shutdownNow() {
      shutdown();
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return shutDown;
    }

    @Override
    public boolean isTerminated() {
      return shutDown && !(isOwn && pool.threads().length > 0);
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
      long deadline = System.nanoTime() + unit.toNanos(timeout);
      while (!isTerminated()) {
        if (System.nanoTime() - deadline >= 0) return false;
        TimeUnit.MILLISECONDS.sleep(1);
      }
      return true;
    }
  }
}
