package dev.tenure.bench.commits;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.pekko.Fenced;
import java.util.SplittableRandom;

/** A step with a payload of the size that a small workflow step has. */
public record BenchEvent(Fence fence, byte[] payload) implements Fenced {
  static final int PAYLOAD_BYTES = 300;

  private static final byte[][] PAYLOADS = new byte[256][PAYLOAD_BYTES];

  static {
    // Not compressible: the figures must not depend on what PostgreSQL makes of zeros.
    SplittableRandom random = new SplittableRandom(1);
    for (byte[] payload : PAYLOADS) random.nextBytes(payload);
  }

  static byte[] payload(int writer) {
    return PAYLOADS[Math.floorMod(writer, PAYLOADS.length)];
  }
}
