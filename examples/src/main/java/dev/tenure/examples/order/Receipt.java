package dev.tenure.examples.order;

/** What an order ends with. */
public record Receipt(String reservation, String payment, String parcel) {}
