package dev.tenure.house.canary.persistence;

import dev.tenure.house.canary.sharding.util.Helper;

/** Breaks the house rules on purpose: storage uses what stands above it. */
final class Upwards {
  Helper helper = new Helper();
}
