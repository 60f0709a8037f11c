package dev.tenure.persistence.journal;

/**
 * The rows of several reads have more bytes together than one answer may have: nothing was read.
 * The caller that merged the reads makes them in smaller groups. A single read is never refused.
 */
public final class ReadTooLargeError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ReadTooLargeError(int reads, long bytes, long max) {
    super(
        "the rows of %d reads have %d bytes, one answer has at most %d: read fewer at once"
            .formatted(reads, bytes, max));
  }
}
