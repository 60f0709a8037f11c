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
        if (defect == null) defect = failure;
        else defect.addSuppressed(failure);
      }
    if (defect != null) throw defect;
  }
}
