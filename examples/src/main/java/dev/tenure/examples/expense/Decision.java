package dev.tenure.examples.expense;

/** What the approver says. */
public record Decision(boolean approved, String by) {}
