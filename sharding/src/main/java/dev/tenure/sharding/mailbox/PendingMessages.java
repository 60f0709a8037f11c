package dev.tenure.sharding.mailbox;

import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.sharding.host.StartVersions;
import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.IncomingSignal;
import dev.tenure.sharding.message.Message;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.owner.Mailbox;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The messages that an owner got and has not finished. They outlive the owner's restarts; when the
 * owner ends, each is answered or sent on. The number of waiting requests is the number of those in
 * here, so the count cannot drift.
 */
public final class PendingMessages implements Mailbox<Message> {
  /**
   * Signals that the owner puts into the inbox after a commit that took one was refused. A refused
   * commit costs a read of the history, so the number doubles with each.
   */
  private static final int SIGNALS_LEFT_FIRST = 100;

  private static final int SIGNALS_LEFT_MAX = 100_000;

  /** Messages that arrived while the owner could take up none. */
  private final Deque<Message> kept = new ArrayDeque<>(0);

  /** Not decided yet, the oldest first. */
  private final Deque<Message.Queued> waiting = new ArrayDeque<>();

  /** Messages that an owner took up and did not finish: the next owner begins with them. */
  private final List<Message.Queued> again = new ArrayList<>(0);

  /** Results of steps and activities that were not committed. */
  public final CarriedResults results = new CarriedResults();

  private final OwnerLimits limits;
  private final Consumer<Message> nextOwner;

  /** Requests in here. */
  private int asked;

  /** Signals in here. */
  private int signals;

  final SignalTraffic traffic = new SignalTraffic();

  /**
   * How many further signals the owner puts into the inbox, because a commit that took one failed.
   */
  private int signalsLeft;

  private int signalsLeftNext = SIGNALS_LEFT_FIRST;

  /**
   * Messages that arrive now are for the next owner. Written under the lock of {@link
   * #tellUnlessLeaving}.
   */
  private volatile boolean leaving;

  /** The owner asked to be stopped: its messages are for the next owner on this node. */
  private boolean asksToGo;

  /**
   * @param nextOwner hands a message to the workflow's next owner
   */
  public PendingMessages(OwnerLimits limits, Consumer<Message> nextOwner) {
    this.limits = limits;
    this.nextOwner = nextOwner;
  }

  // --- what arrives

  @Override
  public boolean admits(Message message) {
    if (message instanceof Message.Signalled(IncomingSignal signal)) return admits(signal);
    if (!(message instanceof Message.Asked request)) return true;
    int most = limits.waiting() + (isUrgent(request) ? limits.urgent() : 0);
    if (asked < most) return true;
    request.replyTo().tell(new Answer.Busy(limits.waiting()));
    return false;
  }

  /** Signals beyond the limit are put into the inbox, which has a limit of its own. */
  private boolean admits(IncomingSignal signal) {
    if (signals < limits.waiting()) return true;
    // The signals that wait here are put there first, because they came first.
    sendElsewhere();
    signal.toInbox();
    return false;
  }

  /** A workflow can always be ended, also when many ask for other things. */
  private static boolean isUrgent(Message.Asked request) {
    return request instanceof Message.Tell(Command command, var replyTo)
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

  /** Puts all waiting signals into the inbox, which answers their senders. */
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
          // The next owner reads it from the inbox.
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

  /** Grants, before anything else, the wishes that did not fit into the last commit. */
  public void grantMore() {
    addFirst(new Message.Own(new Command.GrantMore()));
  }

  public boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Takes out the next message to be decided. There must be one. */
  public Message.Queued poll() {
    return goes(waiting.remove());
  }

  /** The next owner begins with this message. */
  public void beginWith(Message.Queued message) {
    if (isMadeByEachOwner(message)) return;
    comes(message);
    again.add(message);
  }

  public boolean beginsWith(Message.Queued message) {
    return again.contains(message);
  }

  /** The messages that an owner begins with. They stay here until that owner has {@link #begun}. */
  public List<Message.Queued> beginning() {
    return List.copyOf(again);
  }

  /**
   * An owner has begun. Commands that the owner before it gave itself and did not get to are
   * dropped: each {@link Command.Recovered} among them would run the attempts in flight once more.
   *
   * @param agenda the messages that the owner takes up first, in this order
   */
  public void begun(List<Message.Queued> agenda) {
    waiting.removeIf(PendingMessages::isMadeByEachOwner);
    again.forEach(this::goes);
    again.clear();
    agenda.reversed().forEach(this::addFirst);
  }

  /**
   * Drops the commands that an owner gave itself, because the commit on which they were based does
   * not stand.
   */
  public void dropOwn() {
    waiting.removeIf(Message.Own.class::isInstance);
    again.removeIf(Message.Own.class::isInstance);
  }

  /** Whether each owner makes this message anew when it begins. */
  private static boolean isMadeByEachOwner(Message message) {
    return message instanceof Message.Own(Command command)
        && (command instanceof Command.Recovered
            || command instanceof Command.Block
            || command instanceof Command.GrantMore
            || StartVersions.pins(message));
  }

  /** Whether the run is to be ended by a message that waits, whatever else waits. */
  public boolean awaitsTermination() {
    return waiting.stream().anyMatch(PendingMessages::isTermination);
  }

  /** Takes out the first message that ends the run. There must be one. */
  public Message.Queued takeTermination() {
    Message.Queued found =
        waiting.stream().filter(PendingMessages::isTermination).findFirst().orElseThrow();
    waiting.remove(found);
    return goes(found);
  }

  /** A parent may mean another run of that id, and then nothing ends. */
  private static boolean isTermination(Message.Queued message) {
    return message instanceof Message.Tell(Command command, var replyTo)
        && command instanceof Command.Terminate(var reason, var child)
        && child.isEmpty();
  }

  /** Has the owner raise the incident before it decides anything else. */
  public void raise(Incident incident) {
    refuseRepairs(incident.message());
    // The code that the run was to be pinned to has failed, and a pin would resolve the incident.
    waiting.removeIf(StartVersions::pins);
    addFirst(new Message.Own(new Command.RaiseIncident(incident)));
  }

  /** Refuses all repairs that wait. */
  public void refuseRepairs(String why) {
    for (Message.Queued one : List.copyOf(waiting))
      if (refusesRepair(one, why)) {
        waiting.remove(one);
        goes(one);
      }
  }

  /** The number of requests that wait. */
  public int asked() {
    return asked;
  }

  /**
   * Puts a signal into the inbox. Called on any thread.
   *
   * @return false while a commit of the owner takes another signal
   */
  public boolean toInbox(IncomingSignal signal, Predicate<Message> tellOwner) {
    if (!traffic.mayStore()) return false;
    boolean goes =
        signal.toInbox(
            accepted -> {
              if (tellOwner.test(new Message.Stored(accepted))) return;
              traffic.stored();
              if (accepted.isPresent()) nextOwner.accept(Message.WakeUp.WAKE_UP);
            });
    // The node has put it there already, because the owner was busy.
    if (!goes) traffic.stored();
    return true;
  }

  /**
   * {@link Message.Stored} has arrived. The next owner would not hear of it, so it is taken up also
   * while the workflow has no owner.
   */
  public void stored() {
    traffic.stored();
  }

  /** Whether signals wait here. */
  boolean hasSignals() {
    return signals > 0;
  }

  /** A commit that takes a signal was refused: the next signals are put into the inbox. */
  public void leaveSignals() {
    signalsLeft = signalsLeftNext;
    signalsLeftNext = Math.min(2 * signalsLeftNext, SIGNALS_LEFT_MAX);
  }

  /** Whether the next signal must be put into the inbox; counts it if so. */
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

  /** Hands the owner a message. Called on any thread. False when the owner is about to leave. */
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
      case Message.Asked request -> nextOwner.accept(request);
      case Message.WakeUp wakeUp when asksToGo -> nextOwner.accept(wakeUp);
      // The next holder of the shard scans for all that is due. A wake-up that is sent on would
      // come back here for as long as no node holds the shard.
      case Message.WakeUp wakeUp -> {}
      case Message.Signalled(IncomingSignal signal) -> signal.toInbox();
      case Message.Stored stored when asksToGo -> nextOwner.accept(Message.WakeUp.WAKE_UP);
      // As for a wake-up.
      case Message.Stored stored -> {}
      // These concern this owner's memory alone, or the next owner finds out by itself.
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

  // --- repairs

  /** Whether a person asks for a repair: it needs a program that was replayed first. */
  public static boolean isRepair(Message message) {
    return message instanceof Message.Tell(Command command, var replyTo)
        && command instanceof Command.Repair;
  }

  /** Answers a message that asks for a repair; false when it asks for something else. */
  public static boolean refusesRepair(Message message, String why) {
    if (!isRepair(message)) return false;
    ((Message.Tell) message).replyTo().tell(new Answer.NotNow(why));
    return true;
  }
}
