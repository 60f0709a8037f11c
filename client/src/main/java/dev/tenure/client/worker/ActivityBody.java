package dev.tenure.client.worker;

/** The code of an activity. */
@FunctionalInterface
public interface ActivityBody<I> {
  /**
   * Runs on a virtual thread of its own, which is interrupted when the task is gone.
   *
   * @return what the workflow gets, as JSON; null for nothing
   * @throws NoEffectException when it is certain that nothing was done outside
   * @throws ActivityFailure to say more of a failure than an exception does
   */
  Object run(ActivityContext context, I input) throws Exception;
}
