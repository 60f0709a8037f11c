package dev.tenure.node.command.remote;

/** How a workflow's type and version are printed. */
final class TypeText {
  private TypeText() {}

  /** The version is 0 while no node has the type and the start named none. */
  static String of(String type, int version) {
    return version == 0 ? type : type + " v" + version;
  }
}
