package dev.tenure.sharding.counter;

/** What travels between nodes. */
public interface Wire {}
