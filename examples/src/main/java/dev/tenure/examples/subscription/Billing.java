package dev.tenure.examples.subscription;

/** What takes the money. The same period of the same subscription is charged once. */
public interface Billing {
  void charge(String subscription, int period, long cents);

  /** Gives back; a second refund of the same subscription does nothing. */
  void refund(String subscription, long cents);
}
