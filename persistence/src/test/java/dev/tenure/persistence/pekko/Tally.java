package dev.tenure.persistence.pekko;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import java.util.List;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.persistence.typed.EventSourcedSignal;
import org.apache.pekko.persistence.typed.JournalPersistFailed;
import org.apache.pekko.persistence.typed.JournalPersistRejected;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.RecoveryFailed;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.Effect;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;
import org.apache.pekko.persistence.typed.javadsl.SignalHandler;

/** A persistent actor that adds up, for showing what the journal does to its actors. */
final class Tally extends EventSourcedBehavior<Tally.Command, Object, Tally.Sum> {
  sealed interface Command {
    /** Stores these events together. */
    record Store(List<Object> events, ActorRef<Long> total) implements Command {}

    record Read(ActorRef<Long> total) implements Command {}

    record Stop(ActorRef<Done> stopped) implements Command {}
  }

  record Added(Fence fence, int number, List<SideRow> sideRows) implements Fenced {
    Added(Fence fence, int number) {
      this(fence, number, List.of());
    }
  }

  /** An event of so many bytes. */
  record Filled(Fence fence, int bytes) implements Fenced {}

  record Sum(long total) {}

  /** An event that nobody owns. */
  record Unowned() {}

  /** What an actor is told and the test wants to see. */
  interface Observer {
    void saw(EventSourcedSignal signal);
  }

  private final Fence fence;
  private final Observer observer;

  private Tally(String id, Fence fence, Observer observer) {
    super(
        PersistenceId.ofUniqueId(id),
        SupervisorStrategy.restartWithBackoff(
            java.time.Duration.ofMillis(50), java.time.Duration.ofMillis(50), 0));
    this.fence = fence;
    this.observer = observer;
  }

  static Behavior<Command> create(String id, Fence fence, Observer observer) {
    return new Tally(id, fence, observer);
  }

  @Override
  public Sum emptyState() {
    return new Sum(0);
  }

  @Override
  public CommandHandler<Command, Object, Sum> commandHandler() {
    return newCommandHandlerBuilder()
        .forAnyState()
        .onCommand(
            Command.Store.class,
            (state, store) ->
                Effect()
                    .persist(store.events())
                    .thenRun(after -> store.total().tell(after.total())))
        .onCommand(
            Command.Read.class,
            (state, read) -> Effect().none().thenRun(same -> read.total().tell(state.total())))
        .onCommand(
            Command.Stop.class,
            (state, stop) ->
                Effect().stop().thenRun(same -> stop.stopped().tell(Done.getInstance())))
        .build();
  }

  @Override
  public EventHandler<Sum, Object> eventHandler() {
    return (state, event) ->
        event instanceof Added added ? new Sum(state.total() + added.number()) : state;
  }

  @Override
  public SignalHandler<Sum> signalHandler() {
    return newSignalHandlerBuilder()
        .onSignal(JournalPersistRejected.class, (state, signal) -> observer.saw(signal))
        .onSignal(JournalPersistFailed.class, (state, signal) -> observer.saw(signal))
        .onSignal(RecoveryFailed.class, (state, signal) -> observer.saw(signal))
        .build();
  }

  @Override
  public String journalPluginId() {
    return "tenure-journal";
  }
}
