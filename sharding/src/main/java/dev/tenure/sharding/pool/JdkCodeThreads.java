package dev.tenure.sharding.pool;

import java.lang.management.ManagementFactory;
import jdk.management.VirtualThreadSchedulerMXBean;

/** Virtual threads as the JDK runs them. */
final class JdkCodeThreads implements CodeThreads {
  private final VirtualThreadSchedulerMXBean scheduler =
      ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);

  @Override
  public Thread.Builder.OfVirtual builder() {
    return Thread.ofVirtual();
  }

  /** The scheduler is the whole process's: several nodes may ask for more of it. */
  @Override
  public synchronized void allow(int more) {
    scheduler.setParallelism(scheduler.getParallelism() + more);
  }

  @Override
  public int free() {
    return scheduler.getParallelism() - scheduler.getMountedVirtualThreadCount();
  }
}
