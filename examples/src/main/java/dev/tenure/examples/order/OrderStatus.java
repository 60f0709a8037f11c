package dev.tenure.examples.order;

/** What the query {@code status} answers. */
public record OrderStatus(OrderStage stage, String address) {}
