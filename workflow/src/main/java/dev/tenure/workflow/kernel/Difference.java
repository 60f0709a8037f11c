package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.operation.IdentityPart;
import dev.tenure.workflow.operation.OperationSpec;
import java.util.List;
import java.util.Optional;

/**
 * A difference between the operation that the code asks for and the recorded one of the same name
 * and kind. Only the parts that say which item an operation is about are compared ({@link
 * OperationSpec#identity}).
 *
 * @param what differs: {@code input}, {@code child id}
 * @param recorded as it stands on record; of a value its hash, because values may be secret
 * @param asked as the code asks for it
 */
public record Difference(String what, String recorded, String asked) {
  private static final int TEXT_CHARS_MAX = 256;
  private static final int HASH_CHARS = 12;

  public Difference {
    recorded = Failure.cut(recorded, TEXT_CHARS_MAX);
    asked = Failure.cut(asked, TEXT_CHARS_MAX);
  }

  /** Whether two values are the same: by their bytes, or as the codec that wrote them decides. */
  @FunctionalInterface
  public interface SameValue {
    SameValue BYTES = Payload::equals;

    boolean test(Payload recorded, Payload asked);
  }

  /** What was recorded for a run, as far as it is compared. */
  record Recorded(OperationSpec spec, boolean copied) {}

  /**
   * The first difference between two operations of one kind. A part that only one of them has is
   * compared with nothing.
   */
  static Optional<Difference> between(Recorded recorded, OperationSpec asked, SameValue same) {
    List<IdentityPart> parts = asked.identity();
    for (IdentityPart was : recorded.spec.identity())
      for (IdentityPart is : parts) {
        Optional<Difference> found =
            was.name().equals(is.name())
                ? between(was, is, recorded.copied, same)
                : Optional.empty();
        if (found.isPresent()) return found;
      }
    return Optional.empty();
  }

  private static Optional<Difference> between(
      IdentityPart recorded, IdentityPart asked, boolean copied, SameValue same) {
    if (recorded instanceof IdentityPart.Text was && asked instanceof IdentityPart.Text is)
      return copied && !was.comparedInForks()
          ? Optional.empty()
          : text(was.name(), was.text(), is.text());
    if (recorded instanceof IdentityPart.Value was && asked instanceof IdentityPart.Value is)
      return copied ? Optional.empty() : value(was.name(), was.value(), is.value(), same);
    throw new IllegalStateException(recorded.name() + " is a text or a value, and not both.");
  }

  private static Optional<Difference> text(String what, String recorded, String asked) {
    return recorded.equals(asked)
        ? Optional.empty()
        : Optional.of(new Difference(what, '"' + recorded + '"', '"' + asked + '"'));
  }

  private static Optional<Difference> value(
      String what, Payload recorded, Payload asked, SameValue same) {
    return recorded.equals(asked) || same.test(recorded, asked)
        ? Optional.empty()
        : Optional.of(new Difference(what, hash(recorded), hash(asked)));
  }

  private static String hash(Payload value) {
    if (value.isNone()) return "null";
    return "sha256:%s… (%d bytes)"
        .formatted(value.fingerprint().substring(0, HASH_CHARS), value.size());
  }

  @Override
  public String toString() {
    return "with %s %s, and the code asks for it with %s".formatted(what, recorded, asked);
  }
}
