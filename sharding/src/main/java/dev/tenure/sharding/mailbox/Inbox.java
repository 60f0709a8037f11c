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
 * An owner's looks into its inbox: one at a time, from its beginning, because what nobody waited
 * for yet stays in it. Touched by the owner's thread only.
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

  /** More were wanted than one commit takes. */
  private boolean leftSome;

  private long bytes;

  /** Names of which one was left: none behind it may be taken in the same look (I14). */
  private final Set<String> left = new HashSet<>(4);

  /** The waits that were due when the look began that is under way. */
  private List<Operation> due = List.of();

  /**
   * @param results where the signals go that somebody waits for, and what is known of other waits
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

  /** Looks now, or once more when the look that is under way is over. */
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
    seen.begins();
    readAfter.accept(0);
  }

  private List<Operation> waitsDue() {
    return state.get().waitsDue(clock.instant(), results.limits.waitsPerCommit());
  }

  /** Looks, unless it is known that none of that name is there. */
  public void lookFor(String name) {
    if (seen.mayWait(name, state.get())) look();
  }

  /**
   * One stands there now that the owner itself put there. It need not be looked for when nothing
   * else was accepted that the owner does not know of.
   */
  void stored(PendingSignal signal) {
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

  /** What was taken is committed: now there is room for what one look left. */
  public void lookForTheRest() {
    if (!leftSome) return;
    leftSome = false;
    look();
  }

  /**
   * Looks, if there are waits that are due. A wait times out only after a look that began when its
   * time was over: the signal may have been accepted before, while the workflow was away or nobody
   * told its owner.
   */
  public void lookForDue() {
    List<Operation> now = waitsDue();
    if (!now.isEmpty() && !(reading && due.containsAll(now))) look();
  }

  /** Of the waits that were due when the look began, those that it left nothing for. */
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

  /** Left, when nobody waits for it; also when somebody began to, while this look went on. */
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
   * Takes a page in. With the last one the results get what of it all somebody waits for, and
   * behind it which waits may time out: both are decided in this order.
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
    seen.ends();
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
