package dev.tenure.sharding.workflow;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.JournalEntryCodec;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.lease.Leases;
import dev.tenure.persistence.membership.Members;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.signal.Signals;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.visibility.Workflows;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;

/** Holds commits back until a test lets them go, refuses them, or is not there at all. */
final class GatedStorage extends ForwardingStorage {
  private final List<Gate> gates = new CopyOnWriteArrayList<>();
  private final AtomicInteger unread = new AtomicInteger();
  private final AtomicInteger reads = new AtomicInteger();
  private volatile boolean down;
  private volatile boolean largeValuesDown;

  GatedStorage(Storage inner) {
    super(inner);
  }

  /** Closed for the first commit of that workflow which has such an event. */
  final class Gate {
    private final String persistenceId;
    private final Predicate<Event> which;
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);
    private final Function<Commit, CommitResult> instead;

    private Gate(String id, Predicate<Event> which, Function<Commit, CommitResult> instead) {
      this.persistenceId = Host.persistenceId(WorkflowId.of(id));
      this.which = which;
      this.instead = instead;
    }

    private boolean stopsFor(Commit commit) {
      if (!commit.id().persistenceId().equals(persistenceId)) return false;
      JournalEntry entry = JournalEntryCodec.decode(commit.payload());
      return entry.events().stream().anyMatch(which) && gates.remove(this);
    }

    /** Until the commit stands before it. */
    void awaitArrival() {
      Await.until("the commit arrives", TestNode.SOON, () -> arrived.getCount() == 0);
    }

    void open() {
      opened.countDown();
    }

    boolean wasReached() {
      return arrived.getCount() == 0;
    }
  }

  /** The commit waits, and with it the others that share its transaction. */
  Gate hold(String id, Predicate<Event> which) {
    Gate gate = new Gate(id, which, null);
    gates.add(gate);
    return gate;
  }

  /** The commit is not stored, and its owner is told this. */
  Gate refuse(String id, Predicate<Event> which, Function<Commit, CommitResult> instead) {
    Gate gate = new Gate(id, which, instead);
    gates.add(gate);
    return gate;
  }

  /** Stores it, past all gates. */
  CommitResult store(Commit commit) {
    return inner.commit(List.of(commit)).getFirst();
  }

  void down(boolean is) {
    down = is;
  }

  /** Only what stands beside the journal cannot be read. */
  void largeValuesDown(boolean is) {
    largeValuesDown = is;
  }

  /** How many large values were asked for in vain. */
  int unread() {
    return unread.get();
  }

  private void requireUp() {
    if (down) throw new StorageException.Unavailable("down on purpose", null);
  }

  /** How often a journal was read so far. */
  int reads() {
    return reads.get();
  }

  @Override
  public List<CommitResult> commit(List<Commit> batch) {
    requireUp();
    List<Commit> stored = new ArrayList<>();
    CommitResult[] results = new CommitResult[batch.size()];
    for (int i = 0; i < batch.size(); i++) {
      Commit commit = batch.get(i);
      for (Gate gate : gates) {
        if (!gate.stopsFor(commit)) continue;
        gate.arrived.countDown();
        if (gate.instead != null) results[i] = gate.instead.apply(commit);
        else await(gate.opened);
      }
      if (results[i] == null) stored.add(commit);
    }
    if (stored.isEmpty()) return List.of(results);
    List<CommitResult> rest = new ArrayList<>(inner.commit(stored));
    for (int i = 0; i < results.length; i++)
      if (results[i] == null) results[i] = rest.removeFirst();
    return List.of(results);
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(TestNode.SOON.toMillis(), TimeUnit.MILLISECONDS))
        throw new StorageException.Unavailable("nobody opened the gate", null);
    } catch (InterruptedException e) {
      throw new StorageException.Unavailable("interrupted", e);
    }
  }

  @Override
  public List<Long> newestVersions(List<String> persistenceIds) {
    requireUp();
    return super.newestVersions(persistenceIds);
  }

  @Override
  public List<List<JournalRow>> read(List<JournalRead> reads) {
    requireUp();
    this.reads.incrementAndGet();
    return super.read(reads);
  }

  @Override
  public Payloads payloads() {
    Payloads real = super.payloads();
    return (id, hash) -> {
      requireUp();
      if (largeValuesDown) {
        unread.incrementAndGet();
        throw new StorageException.Unavailable("large values are down on purpose", null);
      }
      return real.load(id, hash);
    };
  }

  @Override
  public Leases leases() {
    return whileUp(Leases.class, super.leases());
  }

  @Override
  public Workflows workflows() {
    return whileUp(Workflows.class, super.workflows());
  }

  @Override
  public Signals signals() {
    return whileUp(Signals.class, super.signals());
  }

  @Override
  public Members members() {
    return whileUp(Members.class, super.members());
  }

  private <T> T whileUp(Class<T> type, T real) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              requireUp();
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
