package dev.tenure.sharding.code;

import dev.tenure.workflow.operation.OperationId;
import java.util.HashMap;
import java.util.Map;

/** Hands out the ids of one branch: by name, and by how often the name came before. */
final class Names {
  private final String branch;
  private final Map<String, Integer> counts = new HashMap<>(8);
  private int sagas;

  Names(String branch) {
    this.branch = branch;
  }

  OperationId next(String name) {
    return OperationId.of(branch, name, counts.merge(name, 1, Integer::sum));
  }

  /** What {@link #next} returns next for the name. */
  OperationId upcoming(String name) {
    return OperationId.of(branch, name, counts.getOrDefault(name, 0) + 1);
  }

  /** A branch of this branch; counted apart from operations, which have ids of their own. */
  Names branch(String name) {
    int occurrence = counts.merge("/" + name, 1, Integer::sum);
    return new Names(OperationId.of(branch, name, occurrence).value());
  }

  /** What one more saga of this branch is called on the record. */
  String saga() {
    return (branch.isEmpty() ? "" : branch + '/') + "saga#" + ++sagas;
  }

  String branch() {
    return branch;
  }
}
