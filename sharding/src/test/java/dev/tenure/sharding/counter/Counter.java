package dev.tenure.sharding.counter;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.sharding.lease.Tenures;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.sharding.typed.ShardingEnvelope;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.SnapshotAdapter;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;
import org.apache.pekko.persistence.typed.javadsl.SignalHandler;

/** The smallest sharded, persistent, fenced thing there is. */
public final class Counter
    extends EventSourcedBehavior<Counter.Command, Stored.Incremented, Counter.State> {
  public static final EntityTypeKey<Command> TYPE = EntityTypeKey.create(Command.class, "counter");

  /** How many run in this process. */
  static final AtomicInteger RUNNING = new AtomicInteger();

  private static final int EVENTS_PER_SNAPSHOT = 20;

  public sealed interface Command {
    record Increment(String request, ActorRef<Value> replyTo) implements Command, Wire {}

    record Get(ActorRef<Value> replyTo) implements Command, Wire {}

    record Stop() implements Command, Wire {}
  }

  public record Value(long value) implements Wire {}

  /** The value, and, for snapshots, the tenure of whoever counts. */
  record State(Fence fence, long value) {}

  private final Fence fence;

  private Counter(String id, Fence fence) {
    super(
        PersistenceId.ofUniqueId("counter|" + id),
        SupervisorStrategy.restartWithBackoff(Duration.ofMillis(200), Duration.ofSeconds(1), 0.1));
    this.fence = fence;
  }

  static Entity<Command, ShardingEnvelope<Command>> entity(int shards) {
    return Entity.of(TYPE, context -> start(context.getEntityId(), shards))
        .withStopMessage(new Command.Stop());
  }

  private static Behavior<Command> start(String id, int shards) {
    return Behaviors.setup(
        context -> {
          int shard = ShardOf.workflow(id, shards);
          OptionalLong epoch = Tenures.of(context.getSystem()).epochOf(shard);
          if (epoch.isEmpty()) return Behaviors.stopped();
          RUNNING.incrementAndGet();
          return new Counter(id, new Fence(shard, epoch.getAsLong()));
        });
  }

  @Override
  public State emptyState() {
    return new State(fence, 0);
  }

  @Override
  public CommandHandler<Command, Stored.Incremented, State> commandHandler() {
    return newCommandHandlerBuilder()
        .forAnyState()
        .onCommand(
            Command.Increment.class,
            (state, increment) ->
                Effect()
                    .persist(new Stored.Incremented(fence, increment.request()))
                    .thenReply(increment.replyTo(), after -> new Value(after.value())))
        .onCommand(
            Command.Get.class,
            (state, get) -> Effect().reply(get.replyTo(), new Value(state.value())))
        .onCommand(Command.Stop.class, (state, stop) -> Effect().stop())
        .build();
  }

  @Override
  public EventHandler<State, Stored.Incremented> eventHandler() {
    return newEventHandlerBuilder()
        .forAnyState()
        .onEvent(
            Stored.Incremented.class, (state, incremented) -> new State(fence, state.value() + 1))
        .build();
  }

  @Override
  public SignalHandler<State> signalHandler() {
    return newSignalHandlerBuilder()
        .onSignal(PostStop.class, (state, signal) -> RUNNING.decrementAndGet())
        .build();
  }

  @Override
  public boolean shouldSnapshot(State state, Stored.Incremented event, long version) {
    return version % EVENTS_PER_SNAPSHOT == 0;
  }

  @Override
  public SnapshotAdapter<State> snapshotAdapter() {
    return new SnapshotAdapter<>() {
      @Override
      public Object toJournal(State state) {
        return new Stored.Snapshot(state.fence(), state.value());
      }

      @Override
      public State fromJournal(Object stored) {
        return new State(fence, ((Stored.Snapshot) stored).value());
      }
    };
  }

  @Override
  public String journalPluginId() {
    return "tenure-journal";
  }

  @Override
  public String snapshotPluginId() {
    return "tenure-snapshot-store";
  }
}
