package dev.tenure.examples.invoicing;

import java.util.List;

/** Which invoices are to be written. */
public record InvoiceMonth(String month, List<String> customers) {
  public InvoiceMonth {
    customers = List.copyOf(customers);
  }
}
