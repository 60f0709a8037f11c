package dev.tenure.testkit;

import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.workflow.ActivityCode;
import dev.tenure.workflow.PayloadCipher;
import dev.tenure.workflow.StepInterceptor;
import dev.tenure.workflow.WorkflowFactory;
import dev.tenure.workflow.WorkflowModule;
import dev.tenure.workflow.WorkflowRegistration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What an engine is to run. */
final class Plan implements WorkflowModule.Registry {
  final List<WorkflowRegistration<?>> workflows = new ArrayList<>();
  final List<ActivityRegistration<?, ?>> activities = new ArrayList<>();
  final List<StepInterceptor> interceptors = new ArrayList<>();
  private PayloadCodec payloads = PayloadCodec.standard();
  private Optional<PayloadCipher> cipher = Optional.empty();

  @Override
  public <W> Plan workflow(Class<W> workflow, WorkflowFactory<? extends W> factory) {
    workflows.add(WorkflowRegistration.of(workflow, factory));
    return this;
  }

  @Override
  public <I, O> Plan activity(ActivityCode<I, O> code) {
    activities.add(
        ActivityRegistration.of(
            code, ActivityRegistration.RUNNING_MAX, ActivityRegistration.WAITING_MAX));
    return this;
  }

  @Override
  public Plan interceptor(StepInterceptor interceptor) {
    interceptors.add(interceptor);
    return this;
  }

  @Override
  public Plan encryption(PayloadCipher used) {
    cipher = Optional.of(used);
    return this;
  }

  void payloads(PayloadCodec codec) {
    payloads = codec;
  }

  /** How values are written and read. */
  PayloadCodec codec() {
    return cipher.map(payloads::encryptedBy).orElse(payloads);
  }

  List<ActivityRegistration<?, ?>> activities(Fakes fakes) {
    List<ActivityRegistration<?, ?>> all = new ArrayList<>();
    for (ActivityRegistration<?, ?> one : activities) all.add(fakes.over(one));
    return all;
  }
}
