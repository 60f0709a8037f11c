package dev.tenure.simulation;

import dev.tenure.persistence.payload.Payloads;
import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.workflow.kernel.Command;

/** Texts that are hard to keep: what lies at a limit, or is no character at all. */
final class OddTexts {
  private static final String PLACE = "odd";
  private static final int ODD_ONE_IN = 8;

  /** Of a text in JSON: its quotes. */
  private static final int QUOTES = 2;

  private final Chance chance;
  private final int boundary;

  /**
   * @param limits a value that is not kept apart must fit a commit
   */
  OddTexts(Chance chance, OwnerLimits limits) {
    this.chance = chance;
    this.boundary = Math.min(Payloads.APART_BYTES, limits.commitBytes() / 4);
  }

  /** Mostly the text as it is. A plan that says nothing of it says so. */
  String of(String text) {
    if (chance.below(PLACE, ODD_ONE_IN) != 1) return text;
    return switch (chance.below(PLACE, 8)) {
      case 0 -> text + " \uD800 alone";
      case 1 -> text + " \uD83D\uDE00 \u00FC \u0000 \"\\\n";
      case 2 -> padded(text, boundary - QUOTES - 1);
      case 3 -> padded(text, boundary - QUOTES);
      case 4 -> padded(text, boundary - QUOTES + 1);
      case 5 -> text + " ".repeat(5_000);
      default -> text;
    };
  }

  /** A reason; one that is too long is refused where it is said. */
  String reason(String text) {
    if (chance.below(PLACE, ODD_ONE_IN) != 1) return text;
    return switch (chance.below(PLACE, 4)) {
      case 0 -> padded(text, Command.REASON_BYTES_MAX);
      case 1 -> padded(text, Command.REASON_BYTES_MAX + 1);
      case 2 -> text + " \uD83D\uDE00 \u00FC \"\\\n";
      default -> text + " \uD800 alone";
    };
  }

  private static String padded(String text, int length) {
    return text + "x".repeat(length - text.length());
  }
}
