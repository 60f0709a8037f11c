package dev.tenure.workflow;

import java.lang.reflect.Type;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A workflow to start as a child, and how.
 *
 * @param version of the type; decided by the child's owner when empty
 * @param id of the child; derived from the parent's when empty
 * @param key tells the rounds of a loop apart; they are counted when it is empty
 * @param inputType the type as which the input is written; its own class when empty
 * @param policy what the start does when the id is taken
 */
// A reference to a run method fits one of the overloads: it returns something or it does not.
@SuppressWarnings("overloads")
public record ChildCall<T>(
    String type,
    Optional<Integer> version,
    Optional<String> id,
    Optional<String> key,
    Optional<Object> input,
    Optional<Type> inputType,
    TypeRef<T> result,
    ParentClosePolicy onParentClose,
    Optional<Duration> executionTimeout,
    Map<String, Attribute> attributes,
    StartPolicy policy) {

  public ChildCall {
    Text.require("workflow type", type, WorkflowType.NAME_BYTES_MAX);
    version.ifPresent(number -> WorkflowType.requireVersion(type, number));
    attributes = Attribute.requireNames(attributes);
  }

  public static <T> ChildCall<T> to(String type, TypeRef<T> result) {
    return new ChildCall<>(
        type,
        Optional.empty(),
        Optional.empty(),
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

  /** As {@link #to(Class, Class)}; the compiler checks the input and knows the result. */
  public static <W, I, T> ChildCall<T> to(RunMethod.WithInput<W, I, T> run, I input) {
    return to(run, Optional.ofNullable(input));
  }

  public static <W, I> ChildCall<Void> to(RunMethod.WithInputOnly<W, I> run, I input) {
    return to(run, Optional.ofNullable(input));
  }

  public static <W, T> ChildCall<T> to(RunMethod.Plain<W, T> run) {
    return to(run, Optional.empty());
  }

  public static <W> ChildCall<Void> to(RunMethod.Only<W> run) {
    return to(run, Optional.empty());
  }

  // What the reference's type says of the result, its class says, too.
  @SuppressWarnings("unchecked")
  private static <T> ChildCall<T> to(RunMethod run, Optional<Object> input) {
    WorkflowRegistration<?> described = RunMethod.describe(run);
    TypeRef<T> result = (TypeRef<T>) TypeRef.ofType(described.output());
    ChildCall<T> call = to(described.type().name(), result);
    return call.written(input, described.input());
  }

  private ChildCall<T> written(Optional<Object> value, Optional<Type> as) {
    return new ChildCall<>(
        type,
        version,
        id,
        key,
        value,
        as,
        result,
        onParentClose,
        executionTimeout,
        attributes,
        policy);
  }

  public ChildCall<T> version(int number) {
    return new ChildCall<>(
        type,
        Optional.of(number),
        id,
        key,
        input,
        inputType,
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
        key,
        input,
        inputType,
        result,
        onParentClose,
        executionTimeout,
        attributes,
        policy);
  }

  /** Tells the rounds of a loop apart, in any order; by default they are counted. */
  public ChildCall<T> key(String item) {
    return new ChildCall<>(
        type,
        version,
        id,
        Optional.of(item),
        input,
        inputType,
        result,
        onParentClose,
        executionTimeout,
        attributes,
        policy);
  }

  public ChildCall<T> input(Object value) {
    return written(Optional.ofNullable(value), Optional.empty());
  }

  public ChildCall<T> onParentClose(ParentClosePolicy closing) {
    return new ChildCall<>(
        type,
        version,
        id,
        key,
        input,
        inputType,
        result,
        closing,
        executionTimeout,
        attributes,
        policy);
  }

  public ChildCall<T> executionTimeout(Duration span) {
    return new ChildCall<>(
        type,
        version,
        id,
        key,
        input,
        inputType,
        result,
        onParentClose,
        Optional.of(span),
        attributes,
        policy);
  }

  public ChildCall<T> attribute(String name, Object value) {
    Map<String, Attribute> all = new LinkedHashMap<>(attributes);
    all.put(name, Attribute.of(value));
    return new ChildCall<>(
        type,
        version,
        id,
        key,
        input,
        inputType,
        result,
        onParentClose,
        executionTimeout,
        all,
        policy);
  }

  /**
   * What the start does when the id is taken; by default it is refused, and the child has failed.
   */
  public ChildCall<T> ifTaken(StartPolicy taken) {
    return new ChildCall<>(
        type,
        version,
        id,
        key,
        input,
        inputType,
        result,
        onParentClose,
        executionTimeout,
        attributes,
        taken);
  }
}
