package dev.tenure.persistence.journal;

/** A stored commit as recovery reads it. */
public record JournalRow(
    long ordering,
    String persistenceId,
    long version,
    String writer,
    int shard,
    long epoch,
    int serializerId,
    String manifest,
    byte[] payload,
    long writtenAtMs) {}
