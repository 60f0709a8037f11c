package dev.tenure.testkit;

import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.branch.ExecutionGate;
import dev.tenure.workflow.ActivityCode;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.StepBody;
import dev.tenure.workflow.operation.OperationId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What stands in the place of steps and activities. */
final class Fakes {
  private final Map<String, StepFake> steps = new ConcurrentHashMap<>();
  private final Map<String, ActivityDefinition.Body<?, ?>> activities = new ConcurrentHashMap<>();

  void step(String name, StepFake fake) {
    steps.put(name, fake);
  }

  void activity(String name, ActivityDefinition.Body<?, ?> fake) {
    activities.put(name, fake);
  }

  /** As the other, with these fakes in it. */
  ExecutionGate over(ExecutionGate gate) {
    return new ExecutionGate() {
      @Override
      public <T> StepBody<T, ?> body(
          String workflow, String run, OperationId step, int attempt, StepBody<T, ?> body) {
        return faked(workflow, step, attempt, body);
      }

      @Override
      public void begins() {
        gate.begins();
      }

      @Override
      public void ends() {
        gate.ends();
      }

      @Override
      public void start(Runnable motion) {
        gate.start(motion);
      }

      @Override
      public void attempt(Runnable begin) {
        gate.attempt(begin);
      }
    };
  }

  private <T> StepBody<T, ?> faked(
      String workflow, OperationId step, int attempt, StepBody<T, ?> body) {
    StepFake fake = steps.get(step.name());
    int key = step.name().indexOf('[');
    // All rounds of a loop are faked by the step's bare name.
    if (fake == null && key > 0) fake = steps.get(step.name().substring(0, key));
    if (fake == null) return body;
    return faked(fake, new Call(workflow, step.name(), attempt, body));
  }

  @SuppressWarnings("unchecked")
  private static <T> StepBody<T, Exception> faked(StepFake fake, StepCall call) {
    return () -> (T) fake.run(call);
  }

  private record Call(String workflowId, String name, int attempt, StepBody<?, ?> body)
      implements StepCall {
    @Override
    public Object genuine() throws Exception {
      try {
        return body.run();
      } catch (Exception | Error thrown) {
        throw thrown;
      } catch (Throwable thrown) {
        throw new IllegalStateException(thrown);
      }
    }
  }

  /** The registration, with the fake that is set when the activity runs. */
  <I, O> ActivityRegistration<I, O> over(ActivityRegistration<I, O> registration) {
    String name = registration.definition().name();
    ActivityCode<I, O> genuine = registration.code();
    ActivityCode<I, O> faked =
        new ActivityCode<>(
            genuine.definition(),
            (context, input) -> this.<I, O>current(name, genuine.body()).run(context, input),
            genuine.atOnce(),
            genuine.verifier(),
            genuine.noEffectFor(),
            genuine.resource());
    return new ActivityRegistration<>(faked, registration.runningMax(), registration.waitingMax());
  }

  @SuppressWarnings("unchecked")
  private <I, O> ActivityDefinition.Body<I, O> current(
      String name, ActivityDefinition.Body<I, O> genuine) {
    return (ActivityDefinition.Body<I, O>) activities.getOrDefault(name, genuine);
  }
}
