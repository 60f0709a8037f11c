package dev.tenure.node.catalog;

import dev.tenure.node.lifetime.StartFailure;
import dev.tenure.workflow.ActivityCode;
import dev.tenure.workflow.PayloadCipher;
import dev.tenure.workflow.StepInterceptor;
import dev.tenure.workflow.WorkflowFactory;
import dev.tenure.workflow.WorkflowModule;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.WorkflowType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** Collects what a node is to run, from code and from the modules on its class path. */
public final class Registrations implements WorkflowModule.Registry {
  private final Map<WorkflowType, WorkflowRegistration<?>> workflows = new LinkedHashMap<>();
  private final Map<String, ActivityCode<?, ?>> activities = new LinkedHashMap<>();
  private final List<StepInterceptor> interceptors = new ArrayList<>();
  private Optional<PayloadCipher> cipher = Optional.empty();

  @Override
  public <W> Registrations workflow(Class<W> workflow) {
    WorkflowModule.Registry.super.workflow(workflow);
    return this;
  }

  @Override
  public <W> Registrations workflow(Class<W> workflow, WorkflowFactory<? extends W> factory) {
    WorkflowRegistration<W> added = WorkflowRegistration.of(workflow, factory);
    WorkflowRegistration<?> before = workflows.putIfAbsent(added.type(), added);
    if (before != null) {
      throw new AlreadyRegisteredError(
          "workflow %s is %s already, %s cannot be it, too: give one of them another name or version"
              .formatted(added.type(), before.workflow().getName(), workflow.getName()));
    }
    return this;
  }

  @Override
  public <I, O> Registrations activity(ActivityCode<I, O> code) {
    String name = code.definition().name();
    ActivityCode<?, ?> before = activities.putIfAbsent(name, code);
    if (before != null) {
      throw new AlreadyRegisteredError(
          "activity %s has its code already: give one of them another name".formatted(name));
    }
    return this;
  }

  @Override
  public Registrations interceptor(StepInterceptor interceptor) {
    interceptors.add(interceptor);
    return this;
  }

  @Override
  public Registrations encryption(PayloadCipher used) {
    if (cipher.isPresent())
      throw new AlreadyRegisteredError(
          "values are encrypted already, and can be by one cipher only");
    cipher = Optional.of(used);
    return this;
  }

  public Registrations module(WorkflowModule module) {
    module.register(this);
    return this;
  }

  /** All modules that the class loader finds. One that cannot be made ends the start. */
  public Registrations modulesOf(ClassLoader loader) {
    try {
      ServiceLoader.load(WorkflowModule.class, loader).forEach(this::module);
      return this;
    } catch (ServiceConfigurationError e) {
      throw new StartFailure("a module on the class path cannot be used: " + e.getMessage(), e);
    }
  }

  public Catalog catalog() {
    return new Catalog(workflows, activities, interceptors, cipher);
  }
}
