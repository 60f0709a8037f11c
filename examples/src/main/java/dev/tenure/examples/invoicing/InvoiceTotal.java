package dev.tenure.examples.invoicing;

/** What an invoice run ends with. */
public record InvoiceTotal(int invoices, long cents) {}
