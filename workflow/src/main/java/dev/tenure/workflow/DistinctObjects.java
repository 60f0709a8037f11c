package dev.tenure.workflow;

import java.lang.ref.WeakReference;

/**
 * A factory that must not make the same object twice: two runs that share one would share its
 * fields, and a replay would find those of the run before it.
 */
final class DistinctObjects<W> implements WorkflowFactory<W> {
  private final Class<W> workflow;
  private final WorkflowFactory<? extends W> factory;
  private volatile WeakReference<W> newest = new WeakReference<>(null);

  DistinctObjects(Class<W> workflow, WorkflowFactory<? extends W> factory) {
    this.workflow = workflow;
    this.factory = factory;
  }

  @Override
  public W create() {
    W made = factory.create();
    if (made == null)
      throw new IllegalStateException(
          "The factory of workflow %s returned null.".formatted(workflow.getName()));
    // A factory that shares one object returns it each time: comparing with the last one is enough.
    boolean known = newest.get() == made;
    newest = new WeakReference<>(made);
    if (known)
      throw new IllegalStateException(
          "The factory of workflow %s returned the same object twice, and runs would share its fields: make a new one each time (in a container: prototype scope)."
              .formatted(workflow.getName()));
    return made;
  }
}
