package dev.tenure.workflow.kernel;

/** Which program a workflow of a {@link Universe} has: code, or now and then a graph. */
final class Programs {
  private Programs() {}

  private static boolean isGraph(long seed, String id) {
    return Math.floorMod(seed * 7 + id.hashCode() * 13L, 3) == 0;
  }

  static Program of(long seed, String id) {
    return isGraph(seed, id)
        ? new GraphScript(Graph.random(seed, id))
        : ScriptGenerator.script(seed, id);
  }

  static Start accounted(Start start, long seed, String id) {
    return isGraph(seed, id) ? start.with(Graph.random(seed, id).accounting()) : start;
  }
}
