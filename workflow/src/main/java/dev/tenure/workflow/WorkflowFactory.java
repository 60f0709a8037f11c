package dev.tenure.workflow;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;

/**
 * Makes a workflow's object for one run, with its dependencies injected: any container's lookup
 * fits. Called again after each replay, so an object is never shared between runs.
 */
@FunctionalInterface
public interface WorkflowFactory<W> {
  W create();

  /** Calls the public constructor without parameters; refuses a class that has none. */
  static <W> WorkflowFactory<W> byConstructor(Class<W> workflow) {
    Constructor<W> constructor;
    try {
      constructor = workflow.getConstructor();
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException(
          "%s has no public constructor without parameters: give a factory that makes it."
              .formatted(workflow.getName()),
          e);
    }
    return () -> create(constructor);
  }

  private static <W> W create(Constructor<W> constructor) {
    try {
      return constructor.newInstance();
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException thrown) throw thrown;
      if (e.getCause() instanceof Error thrown) throw thrown;
      throw new IllegalStateException(constructor + " failed", e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(constructor + " cannot be called", e);
    }
  }
}
