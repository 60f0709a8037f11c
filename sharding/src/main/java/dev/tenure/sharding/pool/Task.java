package dev.tenure.sharding.pool;

/** Something to be run once. */
record Task(TaskKind kind, Runnable work) {}
