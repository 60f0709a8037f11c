package dev.tenure.examples.invoicing;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;

/** Invoices that live as long as their process. */
public final class InMemoryLedger implements Ledger {
  private record Key(String month, String customer) {}

  private final ToLongFunction<String> prices;
  private final Map<Key, Long> invoices = new ConcurrentHashMap<>();
  private final Map<String, Long> posted = new ConcurrentHashMap<>();

  /**
   * @param prices how many cents a customer pays each month
   */
  public InMemoryLedger(ToLongFunction<String> prices) {
    this.prices = prices;
  }

  @Override
  public long invoice(String month, String customer) {
    return invoices.computeIfAbsent(
        new Key(month, customer), key -> prices.applyAsLong(key.customer()));
  }

  @Override
  public void post(String month, long cents) {
    posted.putIfAbsent(month, cents);
  }

  public int invoices() {
    return invoices.size();
  }

  public Optional<Long> posted(String month) {
    return Optional.ofNullable(posted.get(month));
  }
}
