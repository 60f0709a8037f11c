package dev.tenure.house.canary.persistence;

import java.time.Instant;

/** Breaks the house rules on purpose: it reads the clock. */
final class Clockwatcher {
  Instant now() {
    return Instant.now();
  }
}
