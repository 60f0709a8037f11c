package dev.tenure.workflow;

import java.util.Optional;

/**
 * Checks, when a workflow is recovered, that the outside world still agrees with what the history
 * says an activity did. It must not have an effect itself.
 */
@FunctionalInterface
public interface ResourceVerifier<I, O> {
  /**
   * Says what differs; empty when nothing does. When this throws, or takes too long, the outside
   * world counts as one that does not agree.
   *
   * @param recorded the result that the history has
   */
  Optional<String> difference(ActivityContext context, I input, O recorded) throws Exception;

  /** What happens to a workflow when the outside world does not agree. */
  enum Mode {
    /** It fails for good. */
    STRICT,
    /** It goes on with the recorded result, and the difference is counted and logged. */
    WARN,
    /** It stands still as an incident until a person confirms. */
    HUMAN_IN_LOOP
  }
}
