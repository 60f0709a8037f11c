package dev.tenure.testkit;

import java.util.List;

/**
 * A test waits for what cannot come: nothing is under way, and no time that passes changes that.
 */
public final class NothingHappensException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NothingHappensException(List<String> waiting) {
    super(
        waiting.isEmpty()
            ? "Nothing is left to happen, and no workflow is open."
            : "Nothing is left to happen. The open workflows wait:\n  "
                + String.join("\n  ", waiting)
                + "\nSend what they wait for, or wait for less.");
  }
}
