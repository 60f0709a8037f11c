package dev.tenure.persistence.task;

/**
 * Proves that a worker has a task. It is made for one delivery of one attempt and is of no use for
 * another; only its hash is stored.
 *
 * @param secret random, and known to the worker alone
 */
public record TaskToken(TaskId id, int attempt, int delivery, String secret) {}
