package dev.tenure.persistence.signal;

import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.payload.MemoryPayloads;
import dev.tenure.persistence.storage.MemoryStorage;
import dev.tenure.persistence.storage.StorageCapabilities;
import dev.tenure.persistence.visibility.MemoryWorkflows;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.Trace;
import dev.tenure.workflow.WorkflowId;
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
public final class MemorySignals implements Signals {
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
  public MemorySignals(
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

  @Override
  public List<SignalResult> accept(List<Signal> signals, Duration retention) {
    Signals.requireValid(signals, retention);
    SignalCapabilityError.require(MemoryStorage.class, capabilities.get(), signals);
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
    if (inbox.size() >= MAX_PENDING) {
      return new SignalResult.InboxFull(signal.workflowId(), MAX_PENDING);
    }
    long position = workflows.signalled(signal.workflowId().value(), now);
    PendingSignal pending =
        new PendingSignal(
            position, signal.name(), signal.id(), now, signal.payload(), signal.trace());
    inbox.put(position, new Queued(pending, false));
    AcceptedSignalResult result = AcceptedSignalResult.of(signal, now, position);
    answers.put(
        Key.of(signal), new Answer(result, ContentHash.of(signal.payload()), now.plus(retention)));
    return new SignalResult.Accepted(result);
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

  /** Applies a side row of a commit; false when it is of another kind. The lock is held. */
  public boolean apply(SideRow row) {
    String workflowId = KeyText.ofColumn(String.valueOf(row.values().getFirst()));
    if (row.kind().equals(SignalWrites.CONSUME)) {
      inbox(workflowId).remove((Long) row.values().get(1));
      return true;
    }
    if (row.kind().equals(SignalWrites.RETURN)) {
      giveBack(workflowId, row.values(), Payload.of((byte[]) row.values().get(5)));
      return true;
    }
    if (row.kind().equals(SignalWrites.RETURN_KEPT)) {
      payloads
          .find(new WorkflowId(workflowId), (byte[]) row.values().get(5))
          .ifPresent(content -> giveBack(workflowId, row.values(), Payload.of(content)));
      return true;
    }
    if (row.kind().equals(SignalWrites.SETTLE)) {
      inbox(workflowId).replaceAll((position, queued) -> new Queued(queued.signal, true));
      return true;
    }
    return false;
  }

  private void giveBack(String workflowId, List<Object> v, Payload payload) {
    long position = (Long) v.get(1);
    String name = KeyText.ofColumn((String) v.get(3));
    String id = KeyText.ofColumn((String) v.get(4));
    Answer answer = answers.get(new Key(workflowId, name, id));
    Instant acceptedAt =
        answer != null && answer.result.position() == position
            ? answer.result.acceptedAt()
            : clock.instant().truncatedTo(ChronoUnit.MICROS);
    PendingSignal signal =
        new PendingSignal(
            position,
            name,
            id,
            acceptedAt,
            payload,
            Optional.ofNullable((String) v.get(6)).flatMap(Trace::of));
    inbox(workflowId).put(position, new Queued(signal, false));
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

  /** Makes what no acceptance leaves behind: payloads whose answers are not there. For tests. */
  public void loseAnswers(String workflowId, String id) {
    synchronized (lock) {
      answers.keySet().removeIf(key -> key.workflowId.equals(workflowId) && key.id.equals(id));
    }
  }
}
