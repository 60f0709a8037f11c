package dev.tenure.bench.http.load;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * What came of a plan.
 *
 * @param statuses how many answers had which, since the last mark
 * @param sayingWhenToRetry how many had a {@code Retry-After}, since the last mark
 * @param requests how many were sent, ever
 * @param seconds since the last mark
 * @param latencies of all answers since the last mark, packed
 */
public record Sent(
    Map<Integer, Long> statuses,
    long sayingWhenToRetry,
    long requests,
    double seconds,
    byte[] latencies) {
  public long answers(int status) {
    return statuses.getOrDefault(status, 0L);
  }

  static byte[] packed(Histogram latencies) {
    ByteBuffer packed = ByteBuffer.allocate(latencies.getNeededByteBufferCapacity());
    int length = latencies.encodeIntoCompressedByteBuffer(packed);
    return Arrays.copyOf(packed.array(), length);
  }

  /** In nanoseconds. */
  public Histogram histogram() {
    try {
      return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(latencies), 0);
    } catch (DataFormatException e) {
      throw new IllegalStateException("the load's latencies cannot be read", e);
    }
  }
}
