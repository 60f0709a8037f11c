package dev.tenure.activities.http;

/**
 * A body cannot be read as a value of a type that requires nothing of it: an unrelated answer would
 * become a value without content, and be believed.
 */
public final class AnswerTypeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  AnswerTypeException(Class<?> type) {
    super(
        ("A body cannot be read as %s, because %s would be one, too. Make it a record with all that"
                + " the answer has to have, or read what you need from HttpAnswer.json().")
            .formatted(type.getName(), "{}"));
  }
}
