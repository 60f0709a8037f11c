package dev.tenure.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * What one run of a workflow's code was told by its context. It counts when the commit stands that
 * the code made of it: until then the engine may throw this run of the code away.
 */
final class Sight {
  /** A value that the code got, and where in the code. */
  record Seen(String place, String value) {}

  record Got(String signal, String text) {}

  /** The ids of runs are shorter than this, or as long. */
  private static final int MARK_LENGTH = 36;

  private final World world;
  private final String node;
  private final List<Seen> seen = new ArrayList<>();
  private final List<Got> got = new ArrayList<>();
  private String workflow;
  private String run;

  Sight(World world, String node) {
    this.world = world;
    this.node = node;
  }

  /** The code begins, and knows whose it is. */
  void begins(String workflowId, String runId) {
    workflow = workflowId;
    run = runId;
    world.begins(node, workflow, this);
  }

  synchronized void saw(String place, Object value) {
    seen.add(new Seen(place, String.valueOf(value)));
  }

  synchronized void got(String place, String signal, String text) {
    seen.add(new Seen(place, text));
    got.add(new Got(signal, text));
  }

  String run() {
    return run;
  }

  /**
   * The run's id for inputs and messages, as long for each run. A fork asks anew for what was open
   * in its source, and its length counts the bytes that its own code sends: with a longer id in
   * them it would rightly decide by another length than its source.
   */
  String mark() {
    return run + " ".repeat(MARK_LENGTH - run.length());
  }

  boolean isOf(String ofWorkflow, String ofRun) {
    return workflow.equals(ofWorkflow) && run.equals(ofRun);
  }

  /** What was seen since it was taken last. */
  synchronized List<Seen> takeSeen() {
    List<Seen> taken = List.copyOf(seen);
    seen.clear();
    return taken;
  }

  synchronized List<Got> takeGot() {
    List<Got> taken = List.copyOf(got);
    got.clear();
    return taken;
  }
}
