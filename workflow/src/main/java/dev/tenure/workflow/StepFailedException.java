package dev.tenure.workflow;

/**
 * A step failed for good, and what it threw cannot be made again from what was recorded. Its class
 * and message are in {@link #failure()}, and where it was thrown stands in the stack trace.
 */
public final class StepFailedException extends WorkflowException {
  private static final long serialVersionUID = 1L;

  private final transient Failure failure;

  public StepFailedException(String what, Failure failure) {
    super(what + ": " + failure, RecordedStack.of(failure));
    this.failure = failure;
  }

  public Failure failure() {
    return failure;
  }

  /** The stack of the original, as it was printed where it was thrown. */
  private static final class RecordedStack extends Exception {
    private static final long serialVersionUID = 1L;

    private RecordedStack(String text) {
      super(text, null, false, false);
    }

    private static RecordedStack of(Failure failure) {
      return failure.stackText().isEmpty() ? null : new RecordedStack(failure.stackText());
    }

    @Override
    public String toString() {
      return "as recorded: " + getMessage();
    }
  }
}
