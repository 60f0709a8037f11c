package dev.tenure.workflow.operation;

import dev.tenure.workflow.Admitted;
import dev.tenure.workflow.Timeouts;
import java.time.Duration;
import java.time.Instant;

/** When a timer fires: a span after it was committed, or at a fixed instant. */
public sealed interface Due {
  Instant from(Instant committed);

  record After(Duration span) implements Due {
    public After {
      if (span.isNegative() || Admitted.refuses(span.compareTo(Timeouts.MAX) > 0))
        throw new IllegalArgumentException(
            "A timer of %s: use 0 to %s.".formatted(span, Timeouts.MAX));
    }

    @Override
    public Instant from(Instant committed) {
      return committed.plus(span);
    }
  }

  record At(Instant instant) implements Due {
    /** What every store and every calendar can still write down. */
    public static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");

    public static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    public At {
      if (instant.isBefore(EARLIEST) || instant.isAfter(LATEST))
        throw new IllegalArgumentException(
            "A timer at %s: use %s to %s.".formatted(instant, EARLIEST, LATEST));
    }

    @Override
    public Instant from(Instant committed) {
      return instant;
    }
  }
}
