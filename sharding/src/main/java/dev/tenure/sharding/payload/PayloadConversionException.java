package dev.tenure.sharding.payload;

import dev.tenure.workflow.WorkflowException;

/** A value that cannot be written as JSON, or not be read again; says which and why. */
public final class PayloadConversionException extends WorkflowException {
  private static final long serialVersionUID = 1L;

  public PayloadConversionException(String message) {
    super(message);
  }

  PayloadConversionException(String message, Throwable cause) {
    super(message, cause);
  }
}
