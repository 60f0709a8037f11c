package dev.tenure.examples.order;

/** The signal {@code approval}: what somebody decided about an expensive order. */
public record Approval(boolean granted, String by) {}
