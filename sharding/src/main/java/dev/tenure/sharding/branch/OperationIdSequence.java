package dev.tenure.sharding.branch;

import dev.tenure.workflow.operation.OperationId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Makes the ids of one branch's operations: the name, and how often the branch has used it. */
public final class OperationIdSequence {
  /** The names of the engine's own branches begin with it; users' branches must not. */
  public static final String RESERVED = "tenure.";

  private final String branch;
  private final Map<String, Integer> counts = new HashMap<>(8);

  /**
   * Ids that {@link #upcoming} returned, with the number of operations that the branch had begun by
   * then.
   */
  private final Map<OperationId, Integer> said = new HashMap<>(0);

  private int begun;
  private int sagas;

  public OperationIdSequence(String branch) {
    this.branch = branch;
  }

  public OperationId next(String name) {
    OperationId id = OperationId.of(branch, name, counts.merge(name, 1, Integer::sum));
    begun++;
    if (!said.isEmpty()) said.remove(id);
    return id;
  }

  /**
   * The id that {@link #next} returns next for the name. Throws when the same id was returned
   * before, and the branch has begun other operations since: then it would be the key of two
   * different items.
   */
  OperationId upcoming(String name) {
    OperationId id = OperationId.of(branch, name, counts.getOrDefault(name, 0) + 1);
    Integer before = said.putIfAbsent(id, begun);
    if (before != null && before != begun)
      throw new IllegalStateException(
          "The key of %s was asked for twice, and other operations came in between, but no \"%s\" in this branch: two items would have one key. Ask for it inside the step; or with the step's own key, idempotencyKey(name, key), in the branch in which the step is; or once, and keep it."
              .formatted(id, name));
    return id;
  }

  /** The ids of a branch that this branch starts. Branches are counted apart from operations. */
  public OperationIdSequence branch(String name) {
    int occurrence = counts.merge("/" + name, 1, Integer::sum);
    begun++;
    return new OperationIdSequence(OperationId.of(branch, name, occurrence).value());
  }

  /** The id of the next saga of this branch on the record. */
  public String saga() {
    return (branch.isEmpty() ? "" : branch + '/') + "saga#" + ++sagas;
  }

  public String branch() {
    return branch;
  }

  /** A name with an item key: {@code name[key]}. */
  public static String keyed(String name, String key) {
    return name + '[' + key + ']';
  }

  public static String keyed(String name, Optional<String> key) {
    return key.isPresent() ? keyed(name, key.get()) : name;
  }
}
