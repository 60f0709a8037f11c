package dev.tenure.persistence.proof;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The heads of a checkpoint for a verification of a store, which asks for them in their order. */
public final class KnownHeads implements StoreVerification.Known, AutoCloseable {
  private final Checkpoint.Reader reader;
  private Optional<CheckpointHead> next;

  public KnownHeads(Path checkpoint) {
    reader = new Checkpoint.Reader(checkpoint);
    next = reader.next();
  }

  @Override
  public Map<String, Anchor> in(Histories.Range range) {
    Map<String, Anchor> found = new LinkedHashMap<>();
    while (next.isPresent() && isUpTo(next.get(), range.to())) {
      // A verification that goes on begins behind what was verified before.
      if (order(next.get().column(), range.after()) > 0)
        found.put(next.get().column(), next.get().anchor());
      next = reader.next();
    }
    return found;
  }

  private static boolean isUpTo(CheckpointHead head, Optional<String> to) {
    return to.isEmpty() || order(head.column(), to.get()) <= 0;
  }

  /** As the store compares them. */
  private static int order(String one, String other) {
    return Arrays.compareUnsigned(
        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    reader.close();
  }
}
