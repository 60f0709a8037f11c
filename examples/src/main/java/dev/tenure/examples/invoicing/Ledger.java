package dev.tenure.examples.invoicing;

/** Where invoices are kept. */
public interface Ledger {
  /** Writes a customer's invoice, once however often it is asked to; returns its cents. */
  long invoice(String month, String customer);

  /** Books the sum of a month, once. */
  void post(String month, long cents);
}
