package dev.tenure.sharding.run;

/** Ends several things, even if one of them fails. */
final class Endings {
  private Endings() {}

  /** Runs all of them. The first exception is thrown after the last one has run. */
  static void eachOf(Runnable... ends) {
    RuntimeException defect = null;
    for (Runnable one : ends)
      try {
        one.run();
      } catch (RuntimeException failure) {
        defect = with(defect, failure);
      } catch (LinkageError broken) {
        defect = with(defect, new IllegalStateException(broken));
      }
    if (defect != null) throw defect;
  }

  private static RuntimeException with(RuntimeException first, RuntimeException next) {
    if (first == null) return next;
    first.addSuppressed(next);
    return first;
  }
}
