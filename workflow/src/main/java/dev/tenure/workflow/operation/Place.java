package dev.tenure.workflow.operation;

import dev.tenure.workflow.collation.ActivityKind;
import dev.tenure.workflow.collation.DimensionalAddress;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Where an operation stands in its job's tree of execution.
 *
 * @param kind which digits it sets as an activity
 * @param address its dimensional address; once it is entered again, its children have another plane
 * @param cause the operation whose message asked for it; the trigger, or run() itself, when empty
 */
public record Place(ActivityKind kind, DimensionalAddress address, Optional<OperationId> cause) {
  /** Where the children of the trigger stand. */
  public static final DimensionalAddress TOP = DimensionalAddress.ROOT.adjacent();

  private static final Map<OperationKind, Place> USUAL = new EnumMap<>(OperationKind.class);

  static {
    for (OperationKind kind : OperationKind.values())
      USUAL.put(kind, new Place(kind.collation(), TOP, Optional.empty()));
  }

  /** A child of the trigger, or what code asks for: it has no dimensions. */
  public static Place usual(OperationKind kind) {
    return USUAL.get(kind);
  }

  /** The address of what a message of that ordinal's dimension asks for. */
  public DimensionalAddress adjacent(int dimension) {
    DimensionalAddress own =
        dimension == address.index() ? address : address.inDimension(dimension);
    return own.adjacent();
  }
}
