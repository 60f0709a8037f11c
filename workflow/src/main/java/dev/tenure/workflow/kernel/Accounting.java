package dev.tenure.workflow.kernel;

/** What the job semaphore of a run counts, and what closes the job. */
public sealed interface Accounting {
  Accounting CODE = new OfCode();

  /**
   * run() itself is an open activity, from the start until it ends. So code decides when the job
   * closes, and no cause is needed: what the code asks for next counts with the newest message.
   */
  record OfCode() implements Accounting {}

  /**
   * Only the activities of the graph count. The trigger opens the semaphore with the number of its
   * children, each message moves it by the number of those that it asks for, less its own, and the
   * message that takes it to the threshold closes the job.
   *
   * @param threshold how many activities are still open when the job is complete; 0 as a rule
   */
  record OfGraph(long threshold) implements Accounting {
    public OfGraph {
      if (threshold < 0)
        throw new IllegalArgumentException(
            "A threshold of %d is never reached: use 0 or more.".formatted(threshold));
    }
  }

  /** How many activities are open when the job is complete. */
  default long threshold() {
    return switch (this) {
      case OfCode code -> 0;
      case OfGraph graph -> graph.threshold;
    };
  }

  default boolean isOfGraph() {
    return this instanceof OfGraph;
  }
}
