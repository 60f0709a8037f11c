package dev.tenure.persistence.memory;

import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.signal.AcceptedSignalResult;
import dev.tenure.persistence.signal.ContentHash;
import dev.tenure.persistence.signal.InboxRead;
import dev.tenure.persistence.signal.PendingSignal;
import dev.tenure.persistence.signal.Signal;
import dev.tenure.persistence.signal.SignalCapabilityError;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.persistence.signal.Signals;
import dev.tenure.persistence.storage.StorageCapabilities;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Command;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Signals of a storage inside one process. */
final class MemorySignals implements Signals {
  private record Key(String workflowId, String name, String id) {
    static Key of(Signal signal) {
      return new Key(signal.workflowId().value(), signal.name(), signal.id());
    }
  }

  private record Answer(AcceptedSignalResult result, ContentHash content, Instant expiresAt) {}

  private record Queued(PendingSignal signal, boolean unconsumed) {}

  private final Object lock;
  private final InstantSource clock;
  private final MemoryWorkflows workflows;
  private final MemoryPayloads payloads;
  private final Supplier<StorageCapabilities> capabilities;
  private final Map<Key, Answer> answers = new HashMap<>();
  private final Map<String, NavigableMap<Long, Queued>> inboxes = new HashMap<>();

  /**
   * @param lock what the storage holds while it commits: it stands for the lock of a workflow's row
   */
  MemorySignals(
      Object lock,
      InstantSource clock,
      MemoryWorkflows workflows,
      MemoryPayloads payloads,
      Supplier<StorageCapabilities> capabilities) {
    this.lock = lock;
    this.clock = clock;
    this.workflows = workflows;
    this.payloads = payloads;
    this.capabilities = capabilities;
  }

  /** The answers stay until they expire. Called with the lock held. */
  void removeInbox(WorkflowId id) {
    inboxes.remove(id.value());
  }

  @Override
  public List<SignalResult> accept(List<Signal> signals, Duration retention) {
    Signals.requireValid(signals, retention);
    StorageCapabilities found = capabilities.get();
    SignalCapabilityError.require(
        MemoryStorage.class, found.conditionalBatch(), found.reasons(), signals);
    synchronized (lock) {
      return signals.stream().map(signal -> accept(signal, retention)).toList();
    }
  }

  private SignalResult accept(Signal signal, Duration retention) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    Answer answer = answers.get(Key.of(signal));
    if (answer != null && answer.expiresAt.isAfter(now)) {
      return new SignalResult.Duplicate(answer.result, Optional.of(answer.content));
    }
    if (answer == null && waits(Key.of(signal))) {
      return new SignalResult.Indeterminate(signal.workflowId(), signal.name(), signal.id());
    }
    Optional<Boolean> ended = workflows.hasEnded(signal.workflowId().value());
    if (ended.isEmpty()) return new SignalResult.UnknownWorkflow(signal.workflowId());
    if (ended.get()) return new SignalResult.Closed(signal.workflowId());
    NavigableMap<Long, Queued> inbox = inbox(signal.workflowId().value());
    if (inbox.size() >= MAX_PENDING && waiting(inbox) >= MAX_PENDING) {
      return new SignalResult.InboxFull(signal.workflowId(), MAX_PENDING);
    }
    long position = workflows.signalled(signal.workflowId().value(), now);
    PendingSignal pending =
        new PendingSignal(position, signal.name(), signal.id(), now, signal.content());
    inbox.put(position, new Queued(pending, false));
    AcceptedSignalResult result = AcceptedSignalResult.of(signal, now, position);
    answers.put(
        Key.of(signal), new Answer(result, ContentHash.of(signal.payload()), now.plus(retention)));
    return new SignalResult.Accepted(result);
  }

  private static long waiting(NavigableMap<Long, Queued> inbox) {
    return inbox.values().stream().filter(queued -> !queued.unconsumed).count();
  }

  private boolean waits(Key key) {
    return inbox(key.workflowId).values().stream()
        .anyMatch(
            queued ->
                !queued.unconsumed
                    && queued.signal.name().equals(key.name)
                    && queued.signal.id().equals(key.id));
  }

  private NavigableMap<Long, Queued> inbox(String workflowId) {
    return inboxes.computeIfAbsent(workflowId, id -> new TreeMap<>());
  }

  /** Called with the lock held, as all that commits change. */
  void consume(SideRow.SignalConsumed signal) {
    inbox(signal.workflow().value()).remove(signal.position());
  }

  boolean mayTake(SideRow.SignalTaken taken) {
    return !answers.containsKey(Key.of(taken.signal()))
        && workflows.isNextSignal(taken.workflow(), taken.position());
  }

  void take(SideRow.SignalTaken taken) {
    workflows.took(taken.workflow(), taken.position());
    answers.put(
        Key.of(taken.signal()),
        new Answer(
            taken.result(),
            ContentHash.of(taken.signal().payload()),
            clock.instant().plus(taken.retention())));
  }

  /** What still waits becomes unconsumed. */
  void settle(WorkflowId id) {
    inbox(id.value()).replaceAll((position, queued) -> new Queued(queued.signal, true));
  }

  void giveBack(SideRow.SignalReturned returned) {
    if (!returned.isKept()) giveBack(returned, returned.signal().payload());
    else
      payloads
          .find(returned.workflow(), returned.hash())
          .ifPresent(content -> giveBack(returned, Payload.of(content)));
  }

  private void giveBack(SideRow.SignalReturned returned, Payload payload) {
    Command.Arrival signal = returned.signal();
    String workflowId = returned.workflow().value();
    Answer answer = answers.get(new Key(workflowId, signal.signal(), signal.signalId()));
    // The time at which it was accepted is in its answer, while that is kept.
    Instant acceptedAt =
        answer != null && answer.result.position() == signal.position()
            ? answer.result.acceptedAt()
            : clock.instant().truncatedTo(ChronoUnit.MICROS);
    PendingSignal pending =
        new PendingSignal(
            signal.position(),
            signal.signal(),
            signal.signalId(),
            acceptedAt,
            signal.content().with(payload));
    inbox(workflowId).put(signal.position(), new Queued(pending, false));
  }

  @Override
  public List<List<PendingSignal>> pending(List<InboxRead> reads) {
    return read(reads, queued -> !queued.unconsumed);
  }

  @Override
  public List<List<PendingSignal>> unconsumed(List<InboxRead> reads) {
    return read(reads, Queued::unconsumed);
  }

  private List<List<PendingSignal>> read(List<InboxRead> reads, Predicate<Queued> wanted) {
    synchronized (lock) {
      List<List<PendingSignal>> found = new ArrayList<>();
      for (InboxRead read : reads) {
        found.add(
            inbox(read.workflowId().value()).tailMap(read.after(), false).values().stream()
                .filter(wanted)
                .limit(read.maxSignals())
                .map(Queued::signal)
                .toList());
      }
      return found;
    }
  }

  @Override
  public int purgeAnswers(int limit) {
    synchronized (lock) {
      Instant now = clock.instant();
      List<Key> gone =
          answers.entrySet().stream()
              .filter(each -> !each.getValue().expiresAt.isAfter(now))
              .map(Map.Entry::getKey)
              .filter(key -> !waits(key))
              .limit(limit)
              .toList();
      gone.forEach(answers::remove);
      return gone.size();
    }
  }

  /** See {@link MemoryStorage#loseAnswers}. */
  void loseAnswers(String workflowId, String id) {
    synchronized (lock) {
      answers.keySet().removeIf(key -> key.workflowId.equals(workflowId) && key.id.equals(id));
    }
  }
}
