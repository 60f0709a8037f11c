package dev.tenure.sharding.pool;

import java.util.concurrent.Executor;

/** Virtual threads on the threads of a pool. */
final class PooledCodeThreads implements CodeThreads {
  private final TaskPool pool;
  private final Executor scheduler;

  PooledCodeThreads(TaskPool pool) {
    this.pool = pool;
    this.scheduler = pool.executor(TaskKind.CODE);
    JdkInternals.keepPollersOutOfPools();
  }

  @Override
  public Thread.Builder.OfVirtual builder() {
    return JdkInternals.virtualThreadsOn(scheduler);
  }

  @Override
  public void allow(int more) {
    pool.allowCode(more);
  }

  @Override
  public int free() {
    return pool.freeForCode();
  }
}
