package dev.tenure.examples.payment;

/** A line in the shop's own books. */
public record Entry(long number) {}
