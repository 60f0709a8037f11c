package dev.tenure.sharding.pool;

/** The virtual threads of workflows, steps and activities, and how many of them run at once. */
public interface CodeThreads {
  /** On the JDK's own scheduler, which the whole process shares. */
  CodeThreads JDK = new JdkCodeThreads();

  /** On the pool, where the JVM was started with what that needs; the JDK's own otherwise. */
  static CodeThreads on(TaskPool pool) {
    if (JdkInternals.areOpen()) return new PooledCodeThreads(pool);
    TaskPool.log.info(
        "This JVM was started without {}: code runs on the JDK's own threads, and what it does is"
            + " handed from one pool of threads to another. Everything works, but each step costs"
            + " more.",
        JdkInternals.FLAG);
    return JDK;
  }

  /** Makes threads for code. */
  Thread.Builder.OfVirtual builder();

  /**
   * A thread for the code, not started.
   *
   * @param loader the class loader that the code finds at its thread
   */
  default Thread make(String name, ClassLoader loader, Runnable code) {
    Thread thread = builder().name(name).inheritInheritableThreadLocals(false).unstarted(code);
    thread.setContextClassLoader(loader);
    return thread;
  }

  /** So many more may run at once from now on, or fewer. */
  void allow(int more);

  /** How many more could run at this moment than do. */
  int free();
}
