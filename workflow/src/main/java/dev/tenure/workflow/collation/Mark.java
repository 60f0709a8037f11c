package dev.tenure.workflow.collation;

import java.util.function.Function;

/**
 * What became of an attempt to set a digit. A redelivery is as ordinary as a first delivery, so it
 * is an answer of its own: the digit stands, and is not added again (I9).
 */
public sealed interface Mark<L> {
  /** The digit is news: commit this value in one transaction with the work it certifies. */
  record Recorded<L>(L now) implements Mark<L> {}

  /** The digit stood already: its work is committed, there is nothing to write. */
  record AlreadyRecorded<L>(L unchanged) implements Mark<L> {}

  /** The digit may not be set. */
  record Refused<L>(Violation violation) implements Mark<L> {}

  static <L> Mark<L> recorded(L now) {
    return new Recorded<>(now);
  }

  static <L> Mark<L> alreadyRecorded(L unchanged) {
    return new AlreadyRecorded<>(unchanged);
  }

  static <L> Mark<L> refused(Violation violation) {
    return new Refused<>(violation);
  }

  /** The same answer about something that contains the ledger. */
  default <R> Mark<R> map(Function<? super L, ? extends R> wider) {
    return switch (this) {
      case Recorded<L>(L now) -> new Recorded<>(wider.apply(now));
      case AlreadyRecorded<L>(L unchanged) -> new AlreadyRecorded<>(wider.apply(unchanged));
      case Refused<L>(Violation violation) -> new Refused<>(violation);
    };
  }

  /** The value after the attempt, for callers that treat a refusal as a broken invariant. */
  default L orThrow() {
    return switch (this) {
      case Recorded<L>(L now) -> now;
      case AlreadyRecorded<L>(L unchanged) -> unchanged;
      case Refused<L>(Violation violation) -> throw new CollationError(violation);
    };
  }
}
