package dev.tenure.house.canary.persistence.ring;

import dev.tenure.house.canary.persistence.round.Widdershins;

/** Breaks the house rules on purpose: its package and the other one need each other. */
public final class Clockwise {
  Widdershins back = new Widdershins();
}
