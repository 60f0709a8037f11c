package dev.tenure.workflow;

/** The rule for every name and identifier: not empty, bounded in UTF-8 bytes, well-formed. */
public final class Text {
  private Text() {}

  /** Returns the text, or throws what names the text, its limit and what to do. */
  public static String require(String what, String text, int bytesMax) {
    if (text == null || text.isEmpty())
      throw new InvalidTextError(what, "it is empty", "Give it at least one character.");
    long bytes = utf8Bytes(what, text);
    if (Admitted.refuses(bytes > bytesMax))
      throw new InvalidTextError(
          what, "it takes " + bytes + " bytes of UTF-8", "Use at most " + bytesMax + " bytes.");
    return text;
  }

  /** As {@link #require}, for a text that may be empty and has no limit here. */
  public static String requireWellFormed(String what, String text) {
    if (text == null)
      throw new InvalidTextError(what, "it is null", "Give it a text, which may be empty.");
    utf8Bytes(what, text);
    return text;
  }

  /**
   * How many bytes the text takes. A lone surrogate has no encoding: Java would write it as a
   * question mark, and two different keys would become one.
   */
  public static long utf8Bytes(String what, String text) {
    long bytes = 0;
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c < 0x80) bytes += 1;
      else if (c < 0x800) bytes += 2;
      else if (!Character.isSurrogate(c)) bytes += 3;
      else {
        boolean pair =
            Character.isHighSurrogate(c)
                && at + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(at + 1));
        if (!pair)
          throw new InvalidTextError(
              what, "it has a lone surrogate at index " + at, "Send well-formed Unicode.");
        bytes += 4;
        at++;
      }
    }
    return bytes;
  }
}
