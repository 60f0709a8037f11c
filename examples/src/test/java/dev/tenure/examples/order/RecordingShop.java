package dev.tenure.examples.order;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** An in-memory shop that remembers what it was asked to do, in order. */
public final class RecordingShop implements Shop {
  private final InMemoryShop shop;
  private final List<String> calls = new CopyOnWriteArrayList<>();

  public RecordingShop(Map<String, Integer> stock, Map<String, Long> balances) {
    shop = new InMemoryShop(stock, balances);
  }

  /** What was called for this key. */
  public List<String> calls(String key) {
    return calls.stream().filter(c -> c.endsWith(" " + key)).map(c -> c.split(" ")[0]).toList();
  }

  public InMemoryShop inside() {
    return shop;
  }

  @Override
  public String reserve(String key, List<PlaceOrder.Line> lines) throws ShopException {
    calls.add("reserve " + key);
    return shop.reserve(key, lines);
  }

  @Override
  public void release(String reservation) {
    calls.add("release " + reservation.substring("reservation-".length()));
    shop.release(reservation);
  }

  @Override
  public String charge(String key, String customer, long cents) throws CardDeclined {
    calls.add("charge " + key);
    return shop.charge(key, customer, cents);
  }

  @Override
  public void refund(String payment) {
    calls.add("refund " + payment.substring("payment-".length()));
    shop.refund(payment);
  }

  @Override
  public String ship(String key, Parcel parcel) {
    calls.add("ship " + parcel.reservation().substring("reservation-".length()));
    return shop.ship(key, parcel);
  }
}
