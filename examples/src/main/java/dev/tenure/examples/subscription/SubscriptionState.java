package dev.tenure.examples.subscription;

import java.time.Instant;

/** What the query {@code state} answers, and what a subscription ends with. */
public record SubscriptionState(Plan plan, int periodsPaid, long centsPaid, Instant paidUntil) {}
