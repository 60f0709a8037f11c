package dev.tenure.examples.subscription;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Bills that live as long as their process. */
public final class InMemoryBilling implements Billing {
  private final Map<String, TreeMap<Integer, Long>> charges = new ConcurrentHashMap<>();
  private final Map<String, Long> refunds = new ConcurrentHashMap<>();

  @Override
  public void charge(String subscription, int period, long cents) {
    charges.compute(
        subscription,
        (name, known) -> {
          TreeMap<Integer, Long> all = known == null ? new TreeMap<>() : new TreeMap<>(known);
          all.putIfAbsent(period, cents);
          return all;
        });
  }

  @Override
  public void refund(String subscription, long cents) {
    refunds.putIfAbsent(subscription, cents);
  }

  /** What was charged, period by period. */
  public List<Long> charged(String subscription) {
    return List.copyOf(charges.getOrDefault(subscription, new TreeMap<>()).values());
  }

  public Optional<Long> refunded(String subscription) {
    return Optional.ofNullable(refunds.get(subscription));
  }
}
