package dev.tenure.workflow;

/** Answers an update. It may use the context, and so take as long as it needs. */
@FunctionalInterface
public interface UpdateHandler<I, O> {
  O handle(I input) throws Exception;

  /** Refuses an update by throwing. It changes nothing and does not use the context. */
  @FunctionalInterface
  interface Validator<I> {
    void validate(I input) throws Exception;
  }
}
