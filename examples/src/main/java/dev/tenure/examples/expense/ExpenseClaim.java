package dev.tenure.examples.expense;

import java.time.Duration;

/**
 * What an employee wants to be paid back, and how long an approver may take before being reminded.
 */
public record ExpenseClaim(String employee, long cents, String approver, Duration remindAfter) {}
