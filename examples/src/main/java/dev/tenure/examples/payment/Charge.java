package dev.tenure.examples.payment;

/** What a customer is to pay. */
public record Charge(String customer, int cents) {}
