package dev.tenure.client;

import com.fasterxml.jackson.core.type.TypeReference;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a workflow is called, takes and results in: all that its caller has to know of its code.
 * Make a constant of it.
 *
 * <pre>{@code
 * static final WorkflowType<PlaceOrder, Receipt> ORDER =
 *     WorkflowType.of("order", PlaceOrder.class, Receipt.class);
 * }</pre>
 *
 * @param <I> its input
 * @param <O> its result
 */
public final class WorkflowType<I, O> {
  private static final String ANNOTATION = "dev.tenure.workflow.Workflow";

  private final String name;
  private final OptionalInt version;
  private final Type output;

  private WorkflowType(String name, OptionalInt version, Type output) {
    this.name = name;
    this.version = version;
    this.output = output;
  }

  public static <I, O> WorkflowType<I, O> of(String name, Class<I> input, Class<O> output) {
    return new WorkflowType<>(name, OptionalInt.empty(), output);
  }

  /** For a result like a list of something. */
  public static <I, O> WorkflowType<I, O> of(String name, Class<I> input, TypeReference<O> output) {
    return new WorkflowType<>(name, OptionalInt.empty(), output.getType());
  }

  /** By the workflow's class, where the caller has it: its annotation says name and version. */
  public static <I, O> WorkflowType<I, O> of(Class<?> workflow, Class<I> input, Class<O> output) {
    for (Annotation annotation : workflow.getAnnotations()) {
      if (!annotation.annotationType().getName().equals(ANNOTATION)) continue;
      String name = (String) said(annotation, "name");
      return new WorkflowType<>(
          name, OptionalInt.of((Integer) said(annotation, "version")), output);
    }
    throw new IllegalArgumentException(
        workflow.getName() + " is no workflow: it is not annotated with @Workflow(name = …).");
  }

  // By reflection, so that a client does not need the library for those who write workflows.
  private static Object said(Annotation annotation, String what) {
    try {
      return annotation.annotationType().getMethod(what).invoke(annotation);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("@Workflow has no " + what + " any more", e);
    }
  }

  /** That version of the code; without this the newest. */
  public WorkflowType<I, O> version(int wanted) {
    return new WorkflowType<>(name, OptionalInt.of(wanted), output);
  }

  public String name() {
    return name;
  }

  /** Empty: the newest. */
  public OptionalInt version() {
    return version;
  }

  Type output() {
    return output;
  }

  /** A start with more to say than an id and an input. */
  public StartRequest<I, O> request(I input) {
    return StartRequest.of(this, Optional.ofNullable(input));
  }

  @Override
  public String toString() {
    return name + (version.isPresent() ? " v" + version.getAsInt() : "");
  }
}
