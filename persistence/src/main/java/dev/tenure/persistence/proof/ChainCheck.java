package dev.tenure.persistence.proof;

import dev.tenure.persistence.entry.ChainLink;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.JournalEntryCodec;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import java.util.List;
import java.util.Optional;

/**
 * Goes through the rows of one workflow, from the first one on, and finds the first that does not
 * fit. Keeps two commits in memory.
 *
 * <p>A link that does not match says that one of two neighbours was changed. What stands behind
 * them says which: the one that fits what follows was not.
 */
public final class ChainCheck {
  private final WorkflowId id;
  private final Payloads payloads;
  private final List<Anchor> anchors;
  private long commits;
  private long apart;
  private boolean isSealed;

  /** The newest commit; null before the first one. */
  private JournalEntry last;

  /** The newest commit does not carry the link of the one before it. */
  private boolean isSuspect;

  /** Null as long as everything fits. */
  private Finding finding;

  /**
   * @param payloads reads those that stand apart
   * @param anchors what is known of the history from elsewhere
   */
  public ChainCheck(WorkflowId id, Payloads payloads, List<Anchor> anchors) {
    this.id = id;
    this.payloads = payloads;
    this.anchors = anchors;
  }

  /** The next row of its journal. */
  public void row(JournalRow row) {
    commits++;
    if (finding != null) return;
    long expected = last == null ? 1 : last.head().version() + 1;
    if (row.version() != expected) {
      found(expected, "is missing: version %d is stored behind it".formatted(row.version()));
      return;
    }
    try {
      JournalEntry entry = JournalEntryCodec.decode(row, payloads);
      entry.requireOf(id);
      follow(entry);
      if (finding == null) anchored(entry);
      if (finding == null) payloads(entry);
      last = entry;
    } catch (StorageException away) {
      throw away;
    } catch (RuntimeException damage) {
      found(row.version(), "cannot be what was committed: " + damage.getMessage());
    }
  }

  private void follow(JournalEntry entry) {
    long version = entry.head().version();
    if (entry.isSeal()) {
      isSealed = true;
      if (isSuspect) unclear(version - 1);
      return;
    }
    if (last == null) return;
    if (entry.fence().epoch() < last.fence().epoch()) {
      found(version, "was written under an earlier tenure than the version before it");
      return;
    }
    boolean fits = entry.previous().equals(last.link());
    if (isSuspect) {
      // The newest commit fits what follows it, so the one before it is the one that was changed.
      if (fits)
        found(version - 2, "is not the commit that version %d follows".formatted(version - 1));
      else found(version - 1, "follows another commit than version %d".formatted(version - 2));
      return;
    }
    isSuspect = !fits;
  }

  private void anchored(JournalEntry entry) {
    for (Anchor anchor : anchors) {
      if (anchor.version() != entry.head().version()) continue;
      boolean same = anchor.link().equals(entry.link());
      if (same && isSuspect) {
        // What is known from elsewhere is what stands here.
        found(
            anchor.version() - 1,
            "is not the commit that version %d follows".formatted(anchor.version()));
      } else if (!same) {
        found(
            anchor.version(),
            "is another commit than the one that %s names".formatted(anchor.source()));
      }
      if (finding != null) return;
    }
  }

  private void payloads(JournalEntry entry) {
    for (Payload payload : entry.apart()) {
      apart++;
      // Loading compares the content with its hash.
      if (payload.bytes().length != payload.size())
        throw new IllegalStateException("a payload that stands apart has another size");
    }
  }

  /** Nothing that stands behind it says which of the two was changed. */
  private void unclear(long version) {
    found(version, "does not follow version %d: one of the two was changed".formatted(version - 1));
  }

  private void found(long version, String what) {
    finding = new Finding(id.value(), version, what);
  }

  /** Whether all rows fit so far. */
  public boolean fits() {
    return finding == null;
  }

  /** No row is left. */
  public Verified end() {
    if (finding == null) end(last == null ? 0 : last.head().version());
    Optional<ChainLink> link =
        last == null || finding != null ? Optional.empty() : Optional.of(last.link());
    return new Verified(id.value(), commits, apart, isSealed, link, Optional.ofNullable(finding));
  }

  private void end(long newest) {
    if (isSuspect) {
      unclear(newest);
      return;
    }
    for (Anchor anchor : anchors) {
      if (anchor.version() > newest)
        found(
            newest + 1,
            "is missing: %s says that the history goes to version %d"
                .formatted(anchor.source(), anchor.version()));
      else if (anchor.isEnd() && anchor.version() < newest)
        found(
            anchor.version() + 1, "stands behind the end that %s names".formatted(anchor.source()));
      if (finding != null) return;
    }
  }
}
