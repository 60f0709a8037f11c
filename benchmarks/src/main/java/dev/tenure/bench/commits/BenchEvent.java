package dev.tenure.bench.commits;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.journal.Fenced;

/** A step with a payload of the size that a small workflow step has. */
public record BenchEvent(Fence fence, byte[] payload) implements Fenced {
  static final int PAYLOAD_BYTES = 300;

  /** Not compressible: the figures must not depend on what PostgreSQL makes of zeros. */
  static byte[] payload(long seed) {
    byte[] payload = new byte[PAYLOAD_BYTES];
    new java.util.SplittableRandom(seed).nextBytes(payload);
    return payload;
  }
}
