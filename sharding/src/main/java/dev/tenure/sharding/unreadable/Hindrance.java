package dev.tenure.sharding.unreadable;

import dev.tenure.persistence.codec.CorruptEntryError;
import dev.tenure.persistence.codec.PersistedEntryIncompatibleError;
import dev.tenure.persistence.entry.BrokenChainError;
import dev.tenure.persistence.entry.SealedHistoryError;
import dev.tenure.persistence.journal.DamagedJournalError;
import dev.tenure.persistence.payload.MissingPayloadError;
import dev.tenure.sharding.wake.WakeScans;
import dev.tenure.workflow.collation.CorruptLedgerError;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.lifecycle.ImpossibleHistoryError;
import java.util.List;
import java.util.Optional;

/** Why no owner on this node can read a history; each has its own way out. */
enum Hindrance {
  /** The stored history is wrong, or each of its owners fails: a person has to restore it. */
  DAMAGE(
      WakeScans.UNREADABLE,
      Status.INCIDENT,
      "Its history cannot be read: %s. Restore it and resolve the incident, or terminate the"
          + " workflow."),

  /** A newer engine wrote it: it goes on as soon as such an engine owns it again. */
  NEEDS_NEWER_ENGINE(
      WakeScans.NEEDS_NEWER_ENGINE,
      Status.BLOCKED,
      "A newer engine wrote its history: %s. It goes on by itself on a node that is new enough, or"
          + " terminate the workflow.");

  private static final List<Class<? extends Throwable>> DAMAGES =
      List.of(
          CorruptEntryError.class,
          BrokenChainError.class,
          SealedHistoryError.class,
          DamagedJournalError.class,
          MissingPayloadError.class,
          ImpossibleHistoryError.class,
          CorruptLedgerError.class);

  /** Of the incident that says so. */
  final String kind;

  /** Of the workflow's row meanwhile. */
  final Status status;

  private final String refusal;

  Hindrance(String kind, Status status, String refusal) {
    this.kind = kind;
    this.status = status;
    this.refusal = refusal;
  }

  /** What made the recovery fail, in words that {@link #of} knows; empty when it may pass. */
  static Optional<String> evidence(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof PersistedEntryIncompatibleError)
        return Optional.of(NEEDS_NEWER_ENGINE.kind + ": " + cause.getMessage());
      if (DAMAGES.contains(cause.getClass())) return Optional.of(cause.toString());
    }
    return Optional.empty();
  }

  static Hindrance of(String evidence) {
    return evidence.startsWith(NEEDS_NEWER_ENGINE.kind + ": ") ? NEEDS_NEWER_ENGINE : DAMAGE;
  }

  /** The answer to a request that needs the history. */
  String refusal(String evidence) {
    return refusal.formatted(evidence);
  }
}
