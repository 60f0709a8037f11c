package dev.tenure.sharding.mailbox;

import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.signal.PendingSignal;
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
 * Which of the signals that an owner is handed it takes itself, with its next commit, and which are
 * put into the inbox. It takes one that its workflow waits for when, as far as it knows, no other
 * stands before it; whether it knows all is looked at where the commit is stored, which is refused
 * if it does not. Touched by the owner's thread only.
 */
public final class SignalTaking {
  /** So many that it took are remembered: their retries must not make commits fail. */
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
   * What the owner decides when it takes the signal; empty when it is put into the inbox.
   *
   * @param looking whether a look into the inbox is under way
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
            // A commit that is refused costs the owner, and with it what it has begun.
            && !(state.wakeAt() instanceof Wake.Now)
            && !looking
            && next.isPresent()
            // Many at once are cheaper together.
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

  /** One that was put into the inbox is there, or was refused. */
  public void stored(Optional<PendingSignal> accepted, Inbox inbox) {
    pending.traffic.stored();
    accepted.ifPresent(inbox::stored);
  }
}
