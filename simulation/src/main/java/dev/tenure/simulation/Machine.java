package dev.tenure.simulation;

/** What a node runs on. */
record Machine(DatabaseLink link, NodeClock clock) {}
