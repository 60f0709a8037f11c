package dev.tenure.workflow.operation;

import dev.tenure.workflow.Text;

/**
 * Which operation of its workflow: {@code branch/name#occurrence}, by name and not by position, so
 * that new code still finds what old code recorded. The main branch is not written: {@code
 * charge#1}, {@code ship#2/label#1}.
 */
public record OperationId(String value) {
  public static final int NAME_BYTES_MAX = 256;
  public static final int BYTES_MAX = 1_024;

  /** The branch of what the engine does on a workflow's behalf; no program can name it. */
  public static final String ENGINE_BRANCH = "~";

  public OperationId {
    Text.require("operation id", value, BYTES_MAX);
    if (!value.contains("#"))
      throw new IllegalArgumentException(
          "The operation id \"%s\" has no occurrence: write name#1.".formatted(value));
  }

  /**
   * An operation in a branch.
   *
   * @param branch the branch's own id, empty for the main branch
   * @param name any text; what structures an id is escaped in it
   * @param occurrence counts from 1 within the branch
   */
  public static OperationId of(String branch, String name, int occurrence) {
    Text.require("operation name", name, NAME_BYTES_MAX);
    if (occurrence < 1)
      throw new IllegalArgumentException("Occurrence %d: count from 1.".formatted(occurrence));
    String own = escape(name) + '#' + occurrence;
    return new OperationId(branch.isEmpty() ? own : branch + '/' + own);
  }

  /** An operation of the engine itself. */
  public static OperationId ofEngine(String name, int occurrence) {
    return new OperationId(ENGINE_BRANCH + '/' + escape(name) + '#' + occurrence);
  }

  private static String escape(String name) {
    String escaped = name;
    if (name.indexOf('%') >= 0) escaped = escaped.replace("%", "%25");
    if (name.indexOf('/') >= 0) escaped = escaped.replace("/", "%2F");
    if (name.indexOf('#') >= 0) escaped = escaped.replace("#", "%23");
    // Otherwise a branch named so could be taken for the engine's.
    return escaped.startsWith(ENGINE_BRANCH) ? "%7E" + escaped.substring(1) : escaped;
  }

  /** The branch's id, empty for the main branch. */
  public String branch() {
    int slash = value.lastIndexOf('/');
    return slash < 0 ? "" : value.substring(0, slash);
  }

  /** The name as the program gave it. */
  public String name() {
    String own = value.substring(value.lastIndexOf('/') + 1, value.lastIndexOf('#'));
    if (own.indexOf('%') < 0) return own;
    return own.replace("%7E", "~").replace("%23", "#").replace("%2F", "/").replace("%25", "%");
  }

  public boolean isEngines() {
    return value.startsWith(ENGINE_BRANCH + '/');
  }

  @Override
  public String toString() {
    return value;
  }
}
