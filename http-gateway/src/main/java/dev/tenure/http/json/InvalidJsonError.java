package dev.tenure.http.json;

/** A body that is no JSON, or JSON that two readers could understand differently. */
public final class InvalidJsonError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String pointer;

  InvalidJsonError(String pointer, String message) {
    super(message, null, false, false);
    this.pointer = pointer;
  }

  /** Where it went wrong, as a JSON pointer; the document itself when it is not known better. */
  public String pointer() {
    return pointer;
  }
}
