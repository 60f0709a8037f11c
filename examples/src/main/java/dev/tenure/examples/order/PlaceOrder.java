package dev.tenure.examples.order;

import java.time.Duration;
import java.util.List;

/**
 * What an order starts with.
 *
 * @param approveWithin how long an expensive order waits for its approval
 */
public record PlaceOrder(
    String customer, String address, List<Line> lines, Duration approveWithin) {
  public record Line(String item, int count, long centsEach) {}

  public PlaceOrder {
    lines = List.copyOf(lines);
    if (approveWithin == null) approveWithin = Duration.ofDays(3);
  }

  public long cents() {
    return lines.stream().mapToLong(line -> line.count() * line.centsEach()).sum();
  }
}
