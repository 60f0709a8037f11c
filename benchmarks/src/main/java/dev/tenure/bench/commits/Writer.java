package dev.tenure.bench.commits;

import com.typesafe.config.Config;
import dev.tenure.persistence.commit.Fence;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.Effect;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;

/** An empty persistent actor: every command is one stored event. */
final class Writer extends EventSourcedBehavior<Writer.Command, BenchEvent, Integer> {
  sealed interface Command {}

  /** Store one event and go on with the next as soon as it is durable. */
  enum Go implements Command {
    GO
  }

  /** Store one event, say so, and stop. */
  record Once(Runnable done) implements Command {}

  /** How a writer is set up: which journal it writes to, as whose owner. */
  record Setup(
      String journalPlugin, Optional<Config> pluginConfig, Fence fence, LongConsumer stored) {}

  private final ActorRef<Command> self;
  private final Setup setup;
  private final byte[] payload;

  private Writer(ActorContext<Command> context, String id, Setup setup) {
    super(PersistenceId.ofUniqueId(id));
    this.self = context.getSelf();
    this.setup = setup;
    this.payload = BenchEvent.payload(id.hashCode());
  }

  static Behavior<Command> create(String id, Setup setup) {
    return Behaviors.setup(context -> new Writer(context, id, setup));
  }

  @Override
  public String journalPluginId() {
    return setup.journalPlugin();
  }

  @Override
  public Optional<Config> journalPluginConfig() {
    return setup.pluginConfig();
  }

  @Override
  public Optional<Config> snapshotPluginConfig() {
    return setup.pluginConfig();
  }

  @Override
  public String snapshotPluginId() {
    return "pekko.persistence.no-snapshot-store";
  }

  @Override
  public Integer emptyState() {
    return 0;
  }

  @Override
  public CommandHandler<Command, BenchEvent, Integer> commandHandler() {
    return (state, command) ->
        switch (command) {
          case Go go -> {
            long start = System.nanoTime();
            yield Effect()
                .persist(new BenchEvent(setup.fence(), payload))
                .thenRun(
                    () -> {
                      setup.stored().accept(System.nanoTime() - start);
                      self.tell(Go.GO);
                    });
          }
          case Once once ->
              Effect()
                  .persist(new BenchEvent(setup.fence(), payload))
                  .thenRun(once.done()::run)
                  .thenStop();
        };
  }

  @Override
  public EventHandler<Integer, BenchEvent> eventHandler() {
    return (state, event) -> state + 1;
  }
}
