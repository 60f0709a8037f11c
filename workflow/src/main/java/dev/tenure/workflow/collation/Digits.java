package dev.tenure.workflow.collation;

/** A 15-digit ledger, read by ranges of decimal digits. */
final class Digits {
  static final long LARGEST = 999_999_999_999_999L;

  /** What the counter in positions 8-15 is read by. */
  static final long COUNTER = 100_000_000L;

  private Digits() {}

  /** As the contract prints it: leading zeros and all, so that the positions line up. */
  static String print(long value) {
    char[] digits = new char[15];
    long rest = value;
    for (int position = 14; position >= 0; position--) {
      digits[position] = (char) ('0' + rest % 10);
      rest /= 10;
    }
    return new String(digits);
  }
}
