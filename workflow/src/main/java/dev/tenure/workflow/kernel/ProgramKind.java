package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Admitted;
import java.util.regex.Pattern;

/**
 * What kind of program a workflow runs, which says how a node makes its {@link Program}: from code,
 * or from a document that an interpreter reads. It is part of the start, and never changes.
 *
 * @param name in lower case, with digits and hyphens
 */
public record ProgramKind(String name) {
  public static final int NAME_CHARS_MAX = 32;

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]*");

  /** A method of a Java class, which runs on threads. */
  public static final ProgramKind CODE = new ProgramKind("code");

  public ProgramKind {
    if (Admitted.refuses(name.length() > NAME_CHARS_MAX) || !NAME.matcher(name).matches())
      throw new IllegalArgumentException(
          "\"%s\" names no kind of program: use up to %d of a-z, 0-9 and -, a letter first."
              .formatted(name, NAME_CHARS_MAX));
  }

  public boolean isCode() {
    return equals(CODE);
  }

  @Override
  public String toString() {
    return name;
  }
}
