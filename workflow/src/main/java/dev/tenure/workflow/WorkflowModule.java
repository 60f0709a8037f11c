package dev.tenure.workflow;

/**
 * What a JAR brings to a node: its workflows and its activities. A node finds the modules on its
 * class path with {@link java.util.ServiceLoader}, so a JAR names its own in {@code
 * META-INF/services/dev.tenure.workflow.WorkflowModule}; an application that embeds a node hands
 * them over itself.
 */
public interface WorkflowModule {

  /** Called once, before the node starts. */
  void register(Registry registry);

  /** Registers what the node can run. A name that is registered already is refused. */
  interface Registry {
    /** A workflow whose class has a public constructor without parameters. */
    default <W> Registry workflow(Class<W> workflow) {
      return workflow(workflow, WorkflowFactory.byConstructor(workflow));
    }

    <W> Registry workflow(Class<W> workflow, WorkflowFactory<? extends W> factory);

    default <I, O> Registry activity(
        ActivityDefinition<I, O> definition, ActivityDefinition.Body<I, O> body) {
      return activity(ActivityCode.of(definition, body));
    }

    /**
     * @param atOnce how many of it run on one node at the same time: as many as what it calls bears
     */
    default <I, O> Registry activity(
        ActivityDefinition<I, O> definition, ActivityDefinition.Body<I, O> body, int atOnce) {
      return activity(ActivityCode.of(definition, body).atOnce(atOnce));
    }

    /** An activity with all that belongs to it, as a verifier. */
    <I, O> Registry activity(ActivityCode<I, O> code);

    /** One more around the code of all steps and activities of the node, within those before it. */
    Registry interceptor(StepInterceptor interceptor);

    /** What encrypts the values of all workflows of the node. There can be one only. */
    Registry encryption(PayloadCipher cipher);
  }
}
