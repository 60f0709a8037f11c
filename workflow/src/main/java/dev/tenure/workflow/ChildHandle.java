package dev.tenure.workflow;

/** A child that runs while its parent does other things. */
public interface ChildHandle<T> extends Handle<T> {
  WorkflowId id();

  /** Returns once the child durably exists; throws when it cannot be started. */
  void awaitStarted();

  /** Returns once the signal is durably accepted. */
  void signal(String name, Object payload);

  /** As {@link #signal(String, Object)}, checked by the compiler. */
  <S> void signal(SignalDefinition<S> signal, S payload);
}
