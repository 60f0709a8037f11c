package dev.tenure.examples.payment;

/** What the provider says of a charge. */
public record Payment(String id, String state) {}
