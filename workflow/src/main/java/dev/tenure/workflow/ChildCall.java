package dev.tenure.workflow;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A workflow to start as a child, and how.
 *
 * @param version of the type; the newest that is registered when empty
 * @param id of the child; derived from the parent's when empty
 * @param policy what the start does when the id is taken
 */
public record ChildCall<T>(
    String type,
    Optional<Integer> version,
    Optional<String> id,
    Optional<Object> input,
    TypeRef<T> result,
    ParentClosePolicy onParentClose,
    Optional<Duration> executionTimeout,
    Map<String, Attribute> attributes,
    StartPolicy policy) {

  public ChildCall {
    Text.require("workflow type", type, WorkflowType.NAME_BYTES_MAX);
    attributes = Attribute.requireNames(attributes);
  }

  public static <T> ChildCall<T> to(String type, TypeRef<T> result) {
    return new ChildCall<>(
        type,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        result,
        ParentClosePolicy.TERMINATE,
        Optional.empty(),
        Map.of(),
        StartPolicy.REJECT_DUPLICATE);
  }

  public static <T> ChildCall<T> to(String type, Class<T> result) {
    return to(type, TypeRef.of(result));
  }

  /** The name, but not the version, of that class's annotation. */
  public static <T> ChildCall<T> to(Class<?> workflow, Class<T> result) {
    Workflow annotation = workflow.getAnnotation(Workflow.class);
    if (annotation == null)
      throw new IllegalArgumentException(
          workflow.getName() + " is no workflow: annotate it with @Workflow(name = …).");
    return to(annotation.name(), result);
  }

  public ChildCall<T> version(int number) {
    return new ChildCall<>(
        type,
        Optional.of(number),
        id,
        input,
        result,
        onParentClose,
        executionTimeout,
        attributes,
        policy);
  }

  public ChildCall<T> id(String value) {
    return new ChildCall<>(
        type,
        version,
        Optional.of(value),
        input,
        result,
        onParentClose,
        executionTimeout,
        attributes,
        policy);
  }

  public ChildCall<T> input(Object value) {
    return new ChildCall<>(
        type,
        version,
        id,
        Optional.ofNullable(value),
        result,
        onParentClose,
        executionTimeout,
        attributes,
        policy);
  }

  public ChildCall<T> onParentClose(ParentClosePolicy closing) {
    return new ChildCall<>(
        type, version, id, input, result, closing, executionTimeout, attributes, policy);
  }

  public ChildCall<T> executionTimeout(Duration span) {
    return new ChildCall<>(
        type, version, id, input, result, onParentClose, Optional.of(span), attributes, policy);
  }

  public ChildCall<T> attribute(String name, Object value) {
    Map<String, Attribute> all = new LinkedHashMap<>(attributes);
    all.put(name, Attribute.of(value));
    return new ChildCall<>(
        type, version, id, input, result, onParentClose, executionTimeout, all, policy);
  }

  /**
   * What the start does when the id is taken; by default it is refused, and the child has failed.
   */
  public ChildCall<T> ifTaken(StartPolicy taken) {
    return new ChildCall<>(
        type, version, id, input, result, onParentClose, executionTimeout, attributes, taken);
  }
}
