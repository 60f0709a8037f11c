package dev.tenure.examples.order;

import java.util.List;

/**
 * The systems that an order calls. Each call takes a key, and does nothing new when it sees the
 * same key again; undoing what was undone already does nothing, either.
 */
public interface Shop {
  /** Sets the goods aside; returns the reservation. */
  String reserve(String key, List<PlaceOrder.Line> lines) throws ShopException;

  void release(String reservation);

  /** Takes the money; returns the payment. */
  String charge(String key, String customer, long cents) throws ShopException;

  void refund(String payment);

  /** Hands the goods over; returns the parcel's number. */
  String ship(String key, Parcel parcel);
}
