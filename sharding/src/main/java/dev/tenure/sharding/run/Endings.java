package dev.tenure.sharding.run;

/** How several things end together. */
final class Endings {
  private Endings() {}

  /** A defect in one of them keeps nobody from an answer of the others. */
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
