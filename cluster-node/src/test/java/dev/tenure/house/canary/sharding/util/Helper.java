package dev.tenure.house.canary.sharding.util;

/** Breaks the house rules on purpose: a package named after a layer. */
public final class Helper {}
