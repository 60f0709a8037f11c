package dev.tenure.sharding.pool;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Executor;

/**
 * Internals of the JDK: virtual threads with a scheduler of our own, and the carrier of a virtual
 * thread. Both need {@value #FLAG}.
 */
final class JdkInternals {
  static final String FLAG = "--add-opens java.base/java.lang=ALL-UNNAMED";

  private static final MethodHandle BUILDER = builder();
  private static final MethodHandle CARRIER = carrier();

  private JdkInternals() {}

  private static MethodHandle builder() {
    try {
      Class<?> builder = Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder");
      return MethodHandles.privateLookupIn(builder, MethodHandles.lookup())
          .findConstructor(builder, MethodType.methodType(void.class, Executor.class))
          .asType(MethodType.methodType(Thread.Builder.OfVirtual.class, Executor.class));
    } catch (ReflectiveOperationException closed) {
      return null;
    }
  }

  private static MethodHandle carrier() {
    try {
      return MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup())
          .findStatic(Thread.class, "currentCarrierThread", MethodType.methodType(Thread.class));
    } catch (ReflectiveOperationException closed) {
      return null;
    }
  }

  /** Whether the process was started with the flag, on a JDK that has what is needed. */
  static boolean areOpen() {
    return BUILDER != null && CARRIER != null;
  }

  /** Makes virtual threads that run on the scheduler. */
  static Thread.Builder.OfVirtual virtualThreadsOn(Executor scheduler) {
    try {
      return (Thread.Builder.OfVirtual) BUILDER.invokeExact(scheduler);
    } catch (Throwable impossible) {
      throw new IllegalStateException("The JDK has no such virtual threads.", impossible);
    }
  }

  /** The thread of a pool that this code runs on, also under a virtual thread; null for others. */
  static PoolThread currentPoolThread() {
    Thread current = Thread.currentThread();
    if (current instanceof PoolThread mine) return mine;
    if (CARRIER == null || !current.isVirtual()) return null;
    try {
      return (Thread) CARRIER.invokeExact() instanceof PoolThread under ? under : null;
    } catch (Throwable impossible) {
      throw new IllegalStateException("The JDK does not know its carrier.", impossible);
    }
  }

  /**
   * The JDK's virtual threads that poll sockets run on the scheduler of the first virtual thread
   * that waits for one. They are the whole process's, so they must not be on a pool that ends.
   */
  static void keepPollersOutOfPools() {
    Thread platform =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    Class.forName("sun.nio.ch.Poller", true, null);
                  } catch (ClassNotFoundException none) {
                    TaskPool.log.debug("This JDK polls sockets in another way.", none);
                  }
                });
    try {
      platform.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
