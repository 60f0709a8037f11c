package dev.tenure.simulation.mutant;

/**
 * A small bug in the engine.
 *
 * @param type the class that it is written into, within {@code dev.tenure}
 * @param method in which; all methods of that name, and the lambdas in it
 * @param target the method that is called, or the field that is assigned, there; empty for the
 *     beginning of the method
 * @param invariant what must name it
 * @param oneIn how often it strikes: once in so many times
 */
record Mutant(
    String name,
    String what,
    String type,
    String method,
    Operator operator,
    String target,
    String invariant,
    int oneIn) {
  private static final int SELDOM = 100;

  Mutant(
      String name,
      String what,
      String type,
      String method,
      Operator operator,
      String target,
      String invariant) {
    this(name, what, type, method, operator, target, invariant, SELDOM);
  }

  /** Where lives seldom come. */
  Mutant often() {
    return oneIn(5);
  }

  /** Where lives come once or twice. */
  Mutant mostly() {
    return oneIn(2);
  }

  /** Where it takes several strikes in a row, because the engine tries again and again. */
  Mutant always() {
    return oneIn(1);
  }

  private Mutant oneIn(int times) {
    return new Mutant(name, what, type, method, operator, target, invariant, times);
  }

  private static final String ROOT = "dev.tenure.";

  String className() {
    return ROOT + type;
  }

  boolean isIn(String methodName) {
    return methodName.equals(method) || methodName.startsWith("lambda$" + method + "$");
  }
}
