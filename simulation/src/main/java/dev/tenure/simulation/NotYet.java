package dev.tenure.simulation;

/** What the generator leaves out until the engine keeps its word there. */
final class NotYet {
  private static boolean on(String name) {
    return Boolean.getBoolean("sim." + name) || Boolean.getBoolean("sim.all");
  }

  static final boolean SIGNALS = on("signals");
  static final boolean FAMILIES = on("families");
  static final boolean RENEWALS = on("renewals");

  private NotYet() {}
}
