package dev.tenure.sharding.workflow;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.entry.JournalEntryCodec;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.workflow.kernel.Event;
import java.util.List;
import java.util.function.Predicate;

/** A store that refuses each commit with such an event. */
public final class UnstorableEvents extends ForwardingStorage {
  private final Predicate<Event> which;

  public UnstorableEvents(Storage inner, Predicate<Event> which) {
    super(inner);
    this.which = which;
  }

  @Override
  public List<CommitResult> commit(List<Commit> batch) {
    for (Commit commit : batch)
      if (JournalEntryCodec.decode(commit.payload()).events().stream().anyMatch(which))
        throw new StorageException.Refused("refused on purpose", null);
    return super.commit(batch);
  }
}
