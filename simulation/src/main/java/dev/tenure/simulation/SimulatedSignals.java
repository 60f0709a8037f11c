package dev.tenure.simulation;

import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.signal.InboxRead;
import dev.tenure.persistence.signal.PendingSignal;
import dev.tenure.persistence.signal.Signal;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.persistence.signal.Signals;
import dev.tenure.persistence.storage.StorageException;
import java.time.Duration;
import java.util.List;

/** Signals of a store that does not always answer. */
final class SimulatedSignals implements Signals {
  private final MemoryStorage storage;
  private final Signals memory;
  private final DatabaseLink link;
  private final Chance chance;
  private final Flaw flaw;
  private final Checker checker;
  private final ReachedLimits reached;

  SimulatedSignals(
      MemoryStorage storage,
      DatabaseLink link,
      Chance chance,
      Flaw flaw,
      Checker checker,
      ReachedLimits reached) {
    this.storage = storage;
    this.link = link;
    this.memory = storage.signals();
    this.chance = chance;
    this.flaw = flaw;
    this.checker = checker;
    this.reached = reached;
  }

  @Override
  public List<SignalResult> accept(List<Signal> signals, Duration retention) {
    link.require();
    if (chance.strikes(Fault.SIGNAL_LOST))
      throw new StorageException.OutcomeUnknown("simulated", null);
    if (flaw == Flaw.SIGNAL_ACCEPTED_TWICE)
      for (Signal one : signals) storage.loseAnswers(one.workflowId().value(), one.id());
    List<SignalResult> results = memory.accept(signals, retention);
    for (int i = 0; i < results.size(); i++)
      if (results.get(i) instanceof SignalResult.Accepted(var accepted))
        checker.accepted(signals.get(i), accepted.position());
    if (chance.strikes(Fault.SIGNAL_UNHEARD))
      throw new StorageException.OutcomeUnknown("simulated", null);
    return results;
  }

  @Override
  public List<List<PendingSignal>> pending(List<InboxRead> reads) {
    link.require();
    if (chance.strikes(Fault.INBOX_AWAY)) throw new StorageException.Unavailable("simulated", null);
    List<List<PendingSignal>> pages = memory.pending(reads);
    reached.readSignals(pages);
    return pages;
  }

  @Override
  public List<List<PendingSignal>> unconsumed(List<InboxRead> reads) {
    link.require();
    return memory.unconsumed(reads);
  }

  @Override
  public int purgeAnswers(int limit) {
    return memory.purgeAnswers(limit);
  }
}
