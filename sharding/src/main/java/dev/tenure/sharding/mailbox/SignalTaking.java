package dev.tenure.sharding.mailbox;

import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.signal.Signal;
import dev.tenure.sharding.message.IncomingSignal;
import dev.tenure.sharding.message.Message;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Wake;
import dev.tenure.workflow.kernel.WorkflowState;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Decides which signals the owner takes itself, with its next commit, and which are put into the
 * inbox. The owner takes a signal that its workflow waits for when it knows of no other before it.
 * The transaction that stores the commit checks that, and refuses the commit if there is one. Used
 * by the owner's thread only.
 */
public final class SignalTaking {
  /**
   * The signals that the owner took, up to this number, are remembered, so that retries of them do
   * not make commits fail.
   */
  private static final int REMEMBERED_MAX = 100;

  private record Key(String name, String id) {}

  private final SeenSignals seen;
  private final PendingMessages pending;
  private final Consumer<Message> self;
  private final Set<Key> taken = new LinkedHashSet<>(4);

  public SignalTaking(SeenSignals seen, PendingMessages pending, Consumer<Message> self) {
    this.seen = seen;
    this.pending = pending;
    this.self = self;
  }

  /**
   * The command for the owner when it takes the signal; empty when the signal is put into the
   * inbox.
   *
   * @param looking whether a read of the inbox is under way
   */
  public Optional<Command> take(IncomingSignal incoming, WorkflowState state, boolean looking) {
    pending.traffic.endTaking();
    OptionalLong place = place(incoming.signal(), state, looking);
    if (place.isEmpty())
      pending.toInbox(
          incoming,
          stored -> {
            self.accept(stored);
            return true;
          });
    else if (incoming.take())
      return Optional.of(
          new Command.Signals(List.of(incoming.at(place.getAsLong(), pending.traffic::endTaking))));
    else pending.traffic.endTaking();
    return Optional.empty();
  }

  private OptionalLong place(Signal signal, WorkflowState state, boolean looking) {
    OptionalLong next = seen.next(state);
    boolean takes =
        state.runs()
            && !state.isHeld()
            // A refused commit ends this owner, so none is risked while other work is due.
            && !(state.wakeAt() instanceof Wake.Now)
            && !looking
            && next.isPresent()
            // Many signals at once are cheaper through the inbox, in one transaction.
            && !pending.hasSignals()
            && !pending.leavesSignals()
            && state.awaitsSignal(signal.name())
            && !seen.mayWait(signal.name(), state)
            && signal.payload().size() <= Payloads.APART_BYTES
            && remember(signal)
            && pending.traffic.beginTaking();
    return takes ? next : OptionalLong.empty();
  }

  private boolean remember(Signal signal) {
    if (signal.identity() == Signal.Identity.GENERATED) return true;
    if (!taken.add(new Key(signal.name(), signal.id()))) return false;
    if (taken.size() > REMEMBERED_MAX) taken.remove(taken.iterator().next());
    return true;
  }
}
