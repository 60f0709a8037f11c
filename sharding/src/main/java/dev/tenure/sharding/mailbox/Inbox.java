package dev.tenure.sharding.mailbox;

import dev.tenure.persistence.signal.PendingSignal;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * Reads the owner's inbox: one read at a time, from the beginning, because signals that no wait
 * wanted stay in it. Used by the owner's thread only.
 */
public final class Inbox {
  private final SeenSignals seen;
  private final IncomingResults results;
  private final InstantSource clock;
  private final LongConsumer readAfter;
  private final Supplier<WorkflowState> state;
  private final List<Command.Arrival> wanted = new ArrayList<>();
  private boolean reading;
  private boolean again;

  /** The last read left signals for waits, because one commit takes no more. */
  private boolean leftSome;

  private long bytes;

  /**
   * The names of signals that were left in the inbox: none of the same name behind them may be
   * taken in the same read (I14).
   */
  private final Set<String> left = new HashSet<>(4);

  /** The waits that were due when the current read began. */
  private List<Operation> due = List.of();

  /**
   * @param results get the signals that waits want, and the waits that time out
   * @param readAfter asks for the page after a position; its answer goes to {@link #page}
   */
  public Inbox(
      SeenSignals seen,
      IncomingResults results,
      InstantSource clock,
      LongConsumer readAfter,
      Supplier<WorkflowState> state) {
    this.seen = seen;
    this.results = results;
    this.clock = clock;
    this.readAfter = readAfter;
    this.state = state;
  }

  /** Reads now, or once more when the current read ends. */
  public void look() {
    if (reading) {
      again = true;
      return;
    }
    reading = true;
    due = waitsDue();
    wanted.clear();
    left.clear();
    bytes = 0;
    seen.readBegins();
    readAfter.accept(0);
  }

  private List<Operation> waitsDue() {
    return state.get().waitsDue(clock.instant(), results.limits.waitsPerCommit());
  }

  /** Reads, unless no signal of that name can be there. */
  public void lookFor(String name) {
    if (seen.mayWait(name, state.get())) look();
  }

  /**
   * The owner has put this signal into the inbox. It need not be read when the owner knows of all
   * other accepted signals.
   */
  public void stored(PendingSignal signal) {
    WorkflowState now = state.get();
    OptionalLong next = seen.next(now);
    if (reading || next.isEmpty() || next.getAsLong() != signal.position()) {
      look();
      return;
    }
    boolean isFirst = !seen.mayWait(signal.name(), now);
    seen.saw(signal.name(), signal.position());
    if (!now.awaitsSignal(signal.name())) return;
    if (isFirst) results.add(new Command.Signals(List.of(signal.arrival())));
    else look();
  }

  public boolean isReading() {
    return reading;
  }

  /** The signals that were taken are committed: now there is room for those that one read left. */
  public void lookForTheRest() {
    if (!leftSome) return;
    leftSome = false;
    look();
  }

  /**
   * Reads, if there are waits that are due. A wait times out only after a read that began when its
   * time was over: a signal may have been accepted before, while the workflow was not in memory or
   * its owner was not told.
   */
  public void lookForDue() {
    List<Operation> now = waitsDue();
    if (!now.isEmpty() && !(reading && due.containsAll(now))) look();
  }

  /** The waits that were due when the read began and got no signal from it. */
  private List<OperationId> withoutSignal() {
    List<OperationId> waits = new ArrayList<>(due.size());
    for (Operation operation : due)
      if (operation.spec() instanceof OperationSpec.SignalWait wait
          && !left.contains(wait.signal())) waits.add(operation.id());
    return waits;
  }

  private boolean isFull() {
    return wanted.size() >= results.limits.resultsPerCommit()
        || bytes >= results.limits.resultBytesPerCommit();
  }

  /** The signal is left when no wait wants it; also when a wait began during this read. */
  private void take(PendingSignal signal) {
    if (left.contains(signal.name())) return;
    boolean wants = state.get().awaitsSignal(signal.name());
    if (!wants || isFull()) {
      left.add(signal.name());
      leftSome |= wants;
      return;
    }
    bytes += signal.payload().size();
    wanted.add(signal.arrival());
  }

  /**
   * Takes in a page. After the last page the results get the signals that waits want, and then the
   * waits that may time out: both are decided in this order.
   *
   * @return whether the results got something
   */
  public boolean page(List<PendingSignal> page) {
    for (PendingSignal signal : page) {
      seen.saw(signal.name(), signal.position());
      take(signal);
    }
    if (page.size() == results.limits.signalsPerPage()) {
      readAfter.accept(page.getLast().position());
      return false;
    }
    reading = false;
    seen.readEnds();
    List<OperationId> over = withoutSignal();
    boolean found = !wanted.isEmpty() || !over.isEmpty();
    if (!wanted.isEmpty()) results.add(new Command.Signals(wanted));
    if (!over.isEmpty()) results.add(new Command.NoSignal(over));
    if (again) {
      again = false;
      look();
    }
    return found;
  }
}
