package dev.tenure.testkit;

/** Runs in the place of a step's code; what it returns or throws is what the step does. */
@FunctionalInterface
public interface StepFake {
  Object run(StepCall call) throws Exception;
}
