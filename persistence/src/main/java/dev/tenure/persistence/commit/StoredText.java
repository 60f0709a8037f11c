package dev.tenure.persistence.commit;

/**
 * The rules for text that becomes part of a key: what PostgreSQL or UTF-8 would change or refuse.
 */
public final class StoredText {
  private StoredText() {}

  /**
   * Returns the UTF-8 length of a valid text; throws {@link InvalidCommitError} naming the rule.
   */
  public static int require(String what, String text, int maxBytes) {
    if (text == null || text.isEmpty()) throw new InvalidCommitError(what + " is empty");
    int bytes = requireCharacters(what, text);
    if (bytes > maxBytes) {
      throw new InvalidCommitError(
          what + " has " + bytes + " UTF-8 bytes, more than the limit of " + maxBytes);
    }
    return bytes;
  }

  /** The same for text of any length: every character of it can be stored as it is. */
  public static int requireCharacters(String what, String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0) throw invalid(what, "has a NUL character", i);
      if (c < 0x80) bytes += 1;
      else if (c < 0x800) bytes += 2;
      else if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        bytes += 4;
        i++;
      } else if (Character.isSurrogate(c)) {
        // Java would write it as '?', so two different keys would become one.
        throw invalid(what, "has a lone surrogate", i);
      } else bytes += 3;
    }
    return bytes;
  }

  private static InvalidCommitError invalid(String what, String rule, int index) {
    return new InvalidCommitError(what + " " + rule + " at index " + index);
  }
}
