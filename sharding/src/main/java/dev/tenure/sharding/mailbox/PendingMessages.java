package dev.tenure.sharding.mailbox;

import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.sharding.host.StartVersions;
import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.IncomingSignal;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.owner.Mailbox;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Incident;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What an owner was told and did not bring to an end. It outlives the owner's restarts, and gives
 * everything back when the owner ends. How many requests wait is the number of those that are in
 * here, so that no way of leaving can forget to count.
 */
public final class PendingMessages implements Mailbox<Message> {
  /** A commit that is refused costs a read of the history: after each one twice as many. */
  private static final int SIGNALS_LEFT_FIRST = 100;

  private static final int SIGNALS_LEFT_MAX = 100_000;

  /** Came while the owner could take up nothing. */
  private final Deque<Message> kept = new ArrayDeque<>(0);

  /** Not decided yet, the oldest first. */
  private final Deque<Message.Queued> waiting = new ArrayDeque<>();

  /** Taken up by the last owner, who could not bring it to an end: the next one begins with it. */
  private final List<Message.Queued> again = new ArrayList<>(0);

  /** What steps and activities came to, and was not committed. */
  public final CarriedResults results = new CarriedResults();

  private final OwnerLimits limits;
  private final Consumer<Message> post;

  /** Requests in here. */
  private int asked;

  /** Signals in here. */
  private int signals;

  final SignalTraffic traffic = new SignalTraffic();

  /** So many signals more its owners put into the inbox, because a commit that took one failed. */
  private int signalsLeft;

  private int signalsLeftNext = SIGNALS_LEFT_FIRST;

  /** What comes now is for the next owner. Written under the lock of {@link #tellUnlessLeaving}. */
  private volatile boolean leaving;

  /** The owner asked to go: its messages are for the one that follows it here. */
  private boolean asksToGo;

  /**
   * @param post hands a message to the workflow's next owner
   */
  public PendingMessages(OwnerLimits limits, Consumer<Message> post) {
    this.limits = limits;
    this.post = post;
  }

  // --- the door

  @Override
  public boolean admits(Message message) {
    if (message instanceof Message.Signalled(IncomingSignal signal)) return admits(signal);
    if (!(message instanceof Message.Asked request)) return true;
    int most = limits.waiting() + (isUrgent(request) ? limits.urgent() : 0);
    if (asked < most) return true;
    request.replyTo().tell(new Answer.Busy(limits.waiting()));
    return false;
  }

  /** Beyond that they wait where all signals do, which has a limit of its own. */
  private boolean admits(IncomingSignal signal) {
    if (signals < limits.waiting()) return true;
    // Nobody comes before those who came before.
    sendElsewhere();
    signal.toInbox();
    return false;
  }

  /** A workflow can always be ended, also when many ask for other things. */
  private static boolean isUrgent(Message.Asked request) {
    return request instanceof Message.Tell(Command command, var asker)
        && (command instanceof Command.Terminate || command instanceof Command.Cancel);
  }

  @Override
  public void keep(Message message) {
    comes(message);
    kept.add(message);
  }

  @Override
  public Optional<Message> next() {
    Message next = kept.poll();
    if (next != null) goes(next);
    return Optional.ofNullable(next);
  }

  @Override
  public Optional<Message> nextUndecided() {
    if (!again.isEmpty()) return Optional.of(goes(again.removeFirst()));
    return waiting.isEmpty() ? next() : Optional.of(poll());
  }

  /** Signals are accepted without an owner, and their senders answered. */
  @Override
  public void sendElsewhere() {
    if (signals == 0) return;
    sendSignals(again);
    sendSignals(waiting);
    sendSignals(kept);
  }

  private void sendSignals(Collection<? extends Message> from) {
    from.removeIf(
        message -> {
          if (!(message instanceof Message.Signalled(IncomingSignal signal))) return false;
          goes(message);
          // Whoever owns the workflow then has it from the inbox.
          if (!toInbox(signal, stored -> false)) signal.toInbox();
          return true;
        });
  }

  // --- what waits to be decided

  public void add(Message.Queued message) {
    comes(message);
    waiting.add(message);
  }

  public void addFirst(Message.Queued message) {
    comes(message);
    waiting.addFirst(message);
  }

  /** What one commit did not hold of what the code asked for is granted before anything else. */
  public void grantMore() {
    addFirst(new Message.Own(new Command.GrantMore()));
  }

  public boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** The next to be decided; there is one. */
  public Message.Queued poll() {
    return goes(waiting.remove());
  }

  /** The owner that follows begins with it. */
  public void beginWith(Message.Queued message) {
    if (isMadeByEachOwner(message)) return;
    comes(message);
    again.add(message);
  }

  public boolean beginsWith(Message.Queued message) {
    return again.contains(message);
  }

  /** What an owner begins with; it stays here until that owner has {@link #begun}. */
  public List<Message.Queued> beginning() {
    return List.copyOf(again);
  }

  /**
   * An owner has begun. What the one before it told itself, and did not come to, is void: to hand
   * out again what is in flight would count an attempt and run it once more for each owner that was
   * given up.
   *
   * @param agenda what it takes up first, in this order
   */
  public void begun(List<Message.Queued> agenda) {
    waiting.removeIf(PendingMessages::isMadeByEachOwner);
    again.forEach(this::goes);
    again.clear();
    agenda.reversed().forEach(this::addFirst);
  }

  /** What an owner decided to tell itself is void with the commit on which it was based. */
  public void dropOwn() {
    waiting.removeIf(Message.Own.class::isInstance);
    again.removeIf(Message.Own.class::isInstance);
  }

  /** Whether every owner tells itself that afresh, from what it finds when it begins. */
  private static boolean isMadeByEachOwner(Message message) {
    return message instanceof Message.Own(Command command)
        && (command instanceof Command.Recovered
            || command instanceof Command.Block
            || command instanceof Command.GrantMore
            || StartVersions.pins(message));
  }

  /** Nothing else is decided before it. */
  public void raise(Incident incident) {
    refuseToMend(incident.message());
    // The code that the run was to be pinned to has failed, and a pin would resolve the incident.
    waiting.removeIf(StartVersions::pins);
    addFirst(new Message.Own(new Command.RaiseIncident(incident)));
  }

  /** Answers all that ask for mending. */
  public void refuseToMend(String why) {
    for (Message.Queued one : List.copyOf(waiting))
      if (refusesToMend(one, why)) {
        waiting.remove(one);
        goes(one);
      }
  }

  /** How many requests wait. */
  public int asked() {
    return asked;
  }

  /**
   * Puts a signal into the inbox, without its owner's turn, from any thread.
   *
   * @return false when that would cross a commit of the owner that takes another
   */
  public boolean toInbox(IncomingSignal signal, Predicate<Message> tellOwner) {
    if (!traffic.mayStore()) return false;
    boolean goes =
        signal.toInbox(
            accepted -> {
              if (tellOwner.test(new Message.Stored(accepted))) return;
              traffic.stored();
              if (accepted.isPresent()) post.accept(Message.WakeUp.WAKE_UP);
            });
    // The node put it there before.
    if (!goes) traffic.stored();
    return true;
  }

  /** Whether signals wait that the owner was handed. */
  boolean hasSignals() {
    return signals > 0;
  }

  /** A commit that takes a signal did not stand: the next ones take the way that always goes. */
  public void leaveSignals() {
    signalsLeft = signalsLeftNext;
    signalsLeftNext = Math.min(2 * signalsLeftNext, SIGNALS_LEFT_MAX);
  }

  /** Whether the owner must not take the next signal itself; counts it if so. */
  boolean leavesSignals() {
    if (signalsLeft == 0) return false;
    signalsLeft--;
    return true;
  }

  private void comes(Message message) {
    if (message instanceof Message.Asked) asked++;
    if (message instanceof Message.Signalled) signals++;
  }

  private <M extends Message> M goes(M message) {
    if (message instanceof Message.Asked) asked--;
    if (message instanceof Message.Signalled) signals--;
    return message;
  }

  // --- the end

  /** Hands the owner a message, from any thread; false when it is about to go. */
  public synchronized boolean tellUnlessLeaving(Message message, Consumer<Message> owner) {
    if (leaving) return false;
    owner.accept(message);
    return true;
  }

  public void asksToGo() {
    asksToGo = true;
  }

  @Override
  public synchronized void leaves() {
    leaving = true;
  }

  @Override
  public void giveBack(String why) {
    for (Optional<Message> one = nextUndecided(); one.isPresent(); one = nextUndecided())
      giveBack(one.get(), why);
  }

  @Override
  public void giveBack(Message message, String why) {
    switch (message) {
      case Message.Asked request when !asksToGo -> request.replyTo().tell(new Answer.Again(why));
      case Message.Asked request -> post.accept(request);
      case Message.WakeUp wakeUp when asksToGo -> post.accept(wakeUp);
      // Where the shard goes, everything that is due is looked for. Sent on, it would come back
      // for as long as nobody holds the shard.
      case Message.WakeUp wakeUp -> {}
      case Message.Signalled(IncomingSignal signal) -> signal.toInbox();
      case Message.Stored stored when asksToGo -> post.accept(Message.WakeUp.WAKE_UP);
      // As for a wake-up.
      case Message.Stored stored -> {}
      // The next owner finds out by itself, or this is about the memory of this owner.
      case Message.Own own -> {}
      case Message.Collect collect -> {}
      case Message.Due due -> {}
      case Message.Idle idle -> {}
      case Message.Stop stop -> {}
      case Message.Advanced report -> {}
      case Message.Ahead report -> {}
      case Message.Broken report -> {}
      case Message.Queried report -> {}
      case Message.Overdue report -> {}
      case Message.PastRead report -> {}
      case Message.ProgramRead report -> {}
      case Message.InboxPage page -> {}
      case Message.GoOn goOn -> {}
    }
  }

  // --- mending

  /** Whether it needs a program that was rebuilt and rehearsed first. */
  public static boolean mends(Message message) {
    return message instanceof Message.Tell(Command command, var asker) && mends(command);
  }

  public static boolean mends(Command command) {
    return command instanceof Command.ResolveIncident
        || command instanceof Command.MoveToVersion
        || command instanceof Command.Retry;
  }

  /** Answers a message that asks for mending; false when it asks for something else. */
  public static boolean refusesToMend(Message message, String why) {
    if (!mends(message)) return false;
    ((Message.Tell) message).replyTo().tell(new Answer.NotNow(why));
    return true;
  }
}
