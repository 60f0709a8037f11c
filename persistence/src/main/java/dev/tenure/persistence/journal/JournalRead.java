package dev.tenure.persistence.journal;

/** A wish to read the versions {@code from}..{@code to} of one persistence id, at most so many. */
public record JournalRead(String persistenceId, long from, long to, int maxRows) {}
