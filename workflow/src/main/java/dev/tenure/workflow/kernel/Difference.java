package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.OperationSpec.Content;
import java.util.Optional;

/**
 * In what the code asks for another operation than the recorded one, although name and kind agree.
 * Compared is what says which item an operation is about. How it is carried out may change: retry
 * policies, timeouts, a timer's span, attributes, the reason of a cancellation.
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

  /** Whether two values are one and the same: by their bytes, or as whoever wrote them sees it. */
  @FunctionalInterface
  public interface SameValue {
    SameValue BYTES = Payload::equals;

    boolean test(Payload recorded, Payload asked);
  }

  /** What was recorded for a run, as far as it is compared. */
  record Recorded(OperationSpec spec, boolean copied) {}

  /** The first difference between two operations of one kind. */
  static Optional<Difference> between(Recorded recorded, OperationSpec asked, SameValue same) {
    // A fork has another id, which may be part of the inputs and ids that it derives.
    boolean all = !recorded.copied;
    return switch (recorded.spec) {
      case OperationSpec.Activity was when asked instanceof OperationSpec.Activity is ->
          text("activity", was.activity(), is.activity())
              .or(() -> all ? value("input", was.input(), is.input(), same) : Optional.empty());
      case OperationSpec.Child was when asked instanceof OperationSpec.Child is ->
          text("child type", was.type(), is.type())
              .or(() -> version(was, is))
              .or(() -> all ? child(was, is, same) : Optional.empty());
      case OperationSpec.SignalWait was when asked instanceof OperationSpec.SignalWait is ->
          text("signal", was.signal(), is.signal());
      case OperationSpec.Message was when asked instanceof OperationSpec.Message is ->
          (all
                  ? text("target", was.target().value(), is.target().value())
                  : Optional.<Difference>empty())
              .or(() -> content(was.content(), is.content(), all, same));
      case OperationSpec.Cycle was when asked instanceof OperationSpec.Cycle is ->
          text("ancestor", was.pivot().value(), is.pivot().value());
      case OperationSpec.Step _,
          OperationSpec.Activity _,
          OperationSpec.Timer _,
          OperationSpec.SignalWait _,
          OperationSpec.Child _,
          OperationSpec.Message _,
          OperationSpec.Cycle _,
          OperationSpec.Value _ ->
          Optional.empty();
    };
  }

  /** The newest version, which is chosen when the child starts, is compared with nothing. */
  private static Optional<Difference> version(OperationSpec.Child was, OperationSpec.Child is) {
    return was.version().isPresent() && is.version().isPresent()
        ? text("child version", "" + was.version().get(), "" + is.version().get())
        : Optional.empty();
  }

  private static Optional<Difference> child(
      OperationSpec.Child was, OperationSpec.Child is, SameValue same) {
    return text("child id", was.id().value(), is.id().value())
        .or(() -> value("input", was.input(), is.input(), same));
  }

  private static Optional<Difference> content(
      Content recorded, Content asked, boolean all, SameValue same) {
    if (recorded instanceof Content.Signal was && asked instanceof Content.Signal is)
      return text("signal", was.signal(), is.signal())
          .or(() -> all ? value("payload", was.payload(), is.payload(), same) : Optional.empty());
    return text("message", name(recorded), name(asked));
  }

  private static String name(Content content) {
    return content.getClass().getSimpleName();
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
