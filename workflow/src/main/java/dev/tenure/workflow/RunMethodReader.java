package dev.tenure.workflow;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.lang.invoke.SerializedLambda;

/** Finds out which workflow a reference to a run method means. */
final class RunMethodReader {
  /** Read once for each place in the code that refers to a method: each has a class of its own. */
  private static final ClassValue<RunMethodReader> READ =
      new ClassValue<>() {
        @Override
        protected RunMethodReader computeValue(Class<?> reference) {
          return new RunMethodReader();
        }
      };

  private volatile WorkflowRegistration<?> workflow;

  private RunMethodReader() {}

  /** What the class that is meant is called, takes and returns. */
  static WorkflowRegistration<?> of(RunMethod reference) {
    RunMethodReader method = READ.get(reference.getClass());
    // Two threads may both read it: they read the same.
    if (method.workflow == null) method.workflow = read(reference);
    return method.workflow;
  }

  private static WorkflowRegistration<?> read(RunMethod reference) {
    SerializedLambda form = Written.formOf(reference);
    if (form == null || !form.getImplMethodName().equals("run"))
      throw new IllegalArgumentException(
          "Name the workflow by a reference to its method, as in YourWorkflow::run.");
    String name = form.getImplClass().replace('/', '.');
    try {
      return described(Class.forName(name, false, reference.getClass().getClassLoader()));
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(name + " cannot be loaded where it is referred to", e);
    }
  }

  private static <W> WorkflowRegistration<W> described(Class<W> workflow) {
    return WorkflowRegistration.of(
        workflow,
        () -> {
          throw new IllegalStateException(workflow.getName() + " is only described here");
        });
  }

  /** What Java writes of a reference is the only form of it that says what it refers to. */
  private static final class Written extends ObjectOutputStream {
    private SerializedLambda form;

    private Written() throws IOException {
      super(OutputStream.nullOutputStream());
      enableReplaceObject(true);
    }

    @Override
    protected Object replaceObject(Object written) {
      if (written instanceof SerializedLambda lambda) form = lambda;
      return null; // nothing of it is to be written
    }

    private static SerializedLambda formOf(RunMethod reference) {
      try (Written out = new Written()) {
        out.writeObject(reference);
        return out.form;
      } catch (IOException e) {
        throw new IllegalStateException("the reference " + reference + " cannot be read", e);
      }
    }
  }
}
