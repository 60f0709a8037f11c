package dev.tenure.examples.order;

/** The signal {@code approval}: the decision about an expensive order. */
public record Approval(boolean granted, String by) {}
