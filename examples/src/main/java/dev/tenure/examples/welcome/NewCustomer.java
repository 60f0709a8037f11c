package dev.tenure.examples.welcome;

import java.time.Duration;

/** What a welcome starts with. */
public record NewCustomer(String name, String address, Duration remindAfter) {}
