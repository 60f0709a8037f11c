package dev.tenure.house.canary.persistence.round;

import dev.tenure.house.canary.persistence.ring.Clockwise;

/** Breaks the house rules on purpose, with {@link Clockwise}. */
public final class Widdershins {
  Clockwise back;
}
