package dev.tenure.workflow;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A workflow class that a node can run: what its annotation and its run method say, checked once.
 *
 * @param input the type of run's second parameter, empty when it takes none
 * @param output what run returns; {@code void} when nothing
 */
public record WorkflowRegistration<W>(
    WorkflowType type,
    Class<W> workflow,
    WorkflowFactory<? extends W> factory,
    Method run,
    Optional<Type> input,
    Type output) {

  public static <W> WorkflowRegistration<W> of(
      Class<W> workflow, WorkflowFactory<? extends W> factory) {
    Workflow annotation = workflow.getAnnotation(Workflow.class);
    if (annotation == null) throw invalid(workflow, "annotate it with @Workflow(name = …)");
    for (int other : annotation.compatibleWith())
      if (other < 1 || other == annotation.version())
        throw invalid(workflow, "let compatibleWith name other versions, which count from 1");
    WorkflowType.requireVersion(annotation.name(), annotation.version());
    Method run = runMethod(workflow);
    Type[] parameters = run.getGenericParameterTypes();
    // A public method of a class that is not public could not be called otherwise.
    if (!Modifier.isPublic(workflow.getModifiers())) run.setAccessible(true);
    return new WorkflowRegistration<>(
        new WorkflowType(annotation.name(), annotation.version()),
        workflow,
        new DistinctObjects<>(workflow, factory),
        run,
        parameters.length == 2 ? Optional.of(parameters[1]) : Optional.empty(),
        run.getGenericReturnType());
  }

  /** Whether runs of that other version may go on with this code. */
  public boolean isCompatibleWith(int version) {
    return compatibleWith().contains(version);
  }

  /** The other versions whose runs may go on with this code. */
  public List<Integer> compatibleWith() {
    Workflow annotation = workflow.getAnnotation(Workflow.class);
    return annotation == null
        ? List.of()
        : Arrays.stream(annotation.compatibleWith()).boxed().toList();
  }

  /** What becomes of a run when its own code has a bug. */
  public OnBug onBug() {
    Workflow annotation = workflow.getAnnotation(Workflow.class);
    return annotation == null ? OnBug.INCIDENT : annotation.onBug();
  }

  private static Method runMethod(Class<?> workflow) {
    List<Method> candidates =
        Arrays.stream(workflow.getMethods())
            .filter(method -> method.getName().equals("run") && !method.isBridge())
            .toList();
    if (candidates.size() != 1)
      throw invalid(workflow, "give it one public method named run, it has " + candidates.size());
    Method run = candidates.getFirst();
    Class<?>[] parameters = run.getParameterTypes();
    boolean fits =
        !Modifier.isStatic(run.getModifiers())
            && (parameters.length == 1 || parameters.length == 2)
            && parameters[0] == WorkflowContext.class;
    if (!fits)
      throw invalid(workflow, "write run(WorkflowContext) or run(WorkflowContext, YourInput)");
    return run;
  }

  private static IllegalArgumentException invalid(Class<?> workflow, String advice) {
    return new IllegalArgumentException(
        "%s cannot be run as a workflow: %s.".formatted(workflow.getName(), advice));
  }

  /** Makes a new object and runs it; throws what the code throws. */
  public Object run(WorkflowContext context, Object argument) throws Throwable {
    W instance = factory.create();
    try {
      return input.isPresent()
          ? run.invoke(instance, context, argument)
          : run.invoke(instance, context);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause();
    }
  }
}
