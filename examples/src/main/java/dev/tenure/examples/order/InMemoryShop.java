package dev.tenure.examples.order;

import dev.tenure.workflow.WorkflowFailure;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A shop that lives as long as its process. */
public final class InMemoryShop implements Shop {
  private static final Set<String> UNREACHABLE = Set.of("Atlantis", "Avalon");

  private final Map<String, Integer> stock;
  private final Map<String, Long> balances;
  private final Map<String, List<PlaceOrder.Line>> reservations = new HashMap<>();
  private final Map<String, Payment> payments = new HashMap<>();
  private final Map<String, Parcel> parcels = new HashMap<>();

  private record Payment(String customer, long cents) {}

  /**
   * @param stock how many there are of each item
   * @param balances how many cents each customer can spend
   */
  public InMemoryShop(Map<String, Integer> stock, Map<String, Long> balances) {
    this.stock = new HashMap<>(stock);
    this.balances = new HashMap<>(balances);
  }

  @Override
  public synchronized String reserve(String key, List<PlaceOrder.Line> lines) throws ShopException {
    String reservation = "reservation-" + key;
    if (reservations.containsKey(reservation)) return reservation;
    for (PlaceOrder.Line line : lines) {
      if (inStock(line.item()) < line.count()) {
        throw new ShopException("Only " + inStock(line.item()) + " left of " + line.item());
      }
    }
    lines.forEach(line -> stock.merge(line.item(), -line.count(), Integer::sum));
    reservations.put(reservation, lines);
    return reservation;
  }

  @Override
  public synchronized void release(String reservation) {
    List<PlaceOrder.Line> lines = reservations.remove(reservation);
    if (lines == null) return;
    lines.forEach(line -> stock.merge(line.item(), line.count(), Integer::sum));
  }

  @Override
  public synchronized String charge(String key, String customer, long cents) throws CardDeclined {
    String payment = "payment-" + key;
    if (payments.containsKey(payment)) return payment;
    if (balance(customer) < cents) throw new CardDeclined(customer + " cannot pay " + cents);
    balances.merge(customer, -cents, Long::sum);
    payments.put(payment, new Payment(customer, cents));
    return payment;
  }

  @Override
  public synchronized void refund(String payment) {
    Payment taken = payments.remove(payment);
    if (taken != null) balances.merge(taken.customer(), taken.cents(), Long::sum);
  }

  @Override
  public synchronized String ship(String key, Parcel parcel) {
    if (UNREACHABLE.stream().anyMatch(parcel.address()::contains)) {
      throw WorkflowFailure.permanent("no-delivery", "Nobody delivers to " + parcel.address());
    }
    String number = "parcel-" + key;
    parcels.putIfAbsent(number, parcel);
    return number;
  }

  public synchronized int inStock(String item) {
    return stock.getOrDefault(item, 0);
  }

  public synchronized long balance(String customer) {
    return balances.getOrDefault(customer, 0L);
  }

  public synchronized Parcel parcel(String number) {
    return parcels.get(number);
  }
}
