package dev.tenure.testkit;

import dev.tenure.sharding.client.WorkflowClient;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.workflow.ActivityCode;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.PayloadCipher;
import dev.tenure.workflow.StepInterceptor;
import dev.tenure.workflow.WorkflowFactory;
import dev.tenure.workflow.WorkflowModule;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test an engine of its own, with the workflows that are named here.
 *
 * <pre>{@code
 * @RegisterExtension
 * final TenureExtension tenure = TenureExtension.with(Order.class, () -> new Order(shop));
 *
 * @Test
 * void anOrderIsApproved(TestEngine engine) { … }
 * }</pre>
 */
public final class TenureExtension
    implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
  private final Plan plan = new Plan();
  private Engine usual = Engine.IN_MEMORY;
  private TestEngine engine;

  private TenureExtension() {}

  public static TenureExtension create() {
    return new TenureExtension();
  }

  /** With a workflow whose class has a public constructor without parameters. */
  public static TenureExtension with(Class<?> workflow) {
    return create().workflow(workflow);
  }

  public static <W> TenureExtension with(Class<W> workflow, WorkflowFactory<? extends W> factory) {
    return create().workflow(workflow, factory);
  }

  public TenureExtension workflow(Class<?> workflow) {
    plan.workflow(workflow);
    return this;
  }

  public <W> TenureExtension workflow(Class<W> workflow, WorkflowFactory<? extends W> factory) {
    plan.workflow(workflow, factory);
    return this;
  }

  public <I, O> TenureExtension activity(
      ActivityDefinition<I, O> definition, ActivityDefinition.Body<I, O> body) {
    plan.activity(definition, body);
    return this;
  }

  /** An activity with all that belongs to it, as a verifier. */
  public <I, O> TenureExtension activity(ActivityCode<I, O> code) {
    plan.activity(code);
    return this;
  }

  /** One more around the code of all steps and activities, within those before it. */
  public TenureExtension interceptor(StepInterceptor interceptor) {
    plan.interceptor(interceptor);
    return this;
  }

  public TenureExtension module(WorkflowModule module) {
    module.register(plan);
    return this;
  }

  /** How inputs, results and signals are written and read: as the application's nodes do it. */
  public TenureExtension payloads(PayloadCodec codec) {
    plan.payloads(codec);
    return this;
  }

  /** What encrypts the values: as the application's nodes do it. */
  public TenureExtension encryption(PayloadCipher cipher) {
    plan.encryption(cipher);
    return this;
  }

  /** What a plain {@code @Test} runs on, instead of in memory. */
  public TenureExtension on(Engine kind) {
    usual = kind;
    return this;
  }

  /** The engine of the test that runs now. */
  public TestEngine engine() {
    if (engine == null) throw new IllegalStateException("There is an engine only during a test.");
    return engine;
  }

  // --- for JUnit

  @Override
  public void beforeEach(ExtensionContext context) {
    Engine kind = OnEachEngine.chosen(context).orElse(usual);
    engine =
        switch (kind) {
          case IN_MEMORY -> new InMemoryEngine(plan);
          case NODE -> NodeEngine.start(plan);
        };
  }

  @Override
  public void afterEach(ExtensionContext context) {
    if (engine == null) return;
    engine.close();
    engine = null;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == TestEngine.class || type == WorkflowClient.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == TestEngine.class ? engine() : engine().workflows();
  }
}
