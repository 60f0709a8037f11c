package dev.tenure.sharding.workflow;

import dev.tenure.persistence.journal.StorageExtension;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.shard.ShardOf;
import dev.tenure.persistence.signal.SignalDesk;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.sharding.activity.Activities;
import dev.tenure.sharding.code.PayloadCodec;
import dev.tenure.sharding.code.WorkflowTypes;
import dev.tenure.sharding.lease.Tenures;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Kernel;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.cluster.sharding.typed.ShardingEnvelope;

/** What all workflows of a node share. */
final class Host {
  final ActorSystem<?> system;
  final Storage storage;
  final StorageExtension journal;
  final int shards;
  final WorkflowSettings settings;
  final Kernel kernel = Kernel.standard();
  final WorkflowTypes types;
  final PayloadCodec codec;
  final InstantSource clock;
  final LongSupplier seeds;
  final Supplier<String> ids;
  final Activities activities;
  final SignalDesk signals;
  final InboxReader inboxes;
  final Residents residents;
  final Courier courier = new Courier();
  final Carriers carriers = new Carriers();

  /** Ids that are about to be started for the first time, as far as whoever starts them knows. */
  private final Set<String> fresh = ConcurrentHashMap.newKeySet();

  private volatile ActorRef<ShardingEnvelope<Message>> region;

  Host(
      ActorSystem<?> system,
      int shards,
      WorkflowSettings settings,
      WorkflowTypes types,
      Activities activities) {
    this.system = system;
    this.journal = StorageExtension.of(system);
    this.storage = journal.storage();
    this.shards = shards;
    this.settings = settings;
    this.types = types;
    this.codec = settings.codec();
    this.clock = settings.clock();
    this.seeds = settings.seeds();
    this.ids = settings.ids();
    this.activities = activities;
    this.signals = new SignalDesk(storage.signals(), settings.signals(), ids);
    this.inboxes = new InboxReader(storage.signals());
    this.residents = new Residents(clock, settings.restingMax());
  }

  void reachedThrough(ActorRef<ShardingEnvelope<Message>> shardRegion) {
    region = shardRegion;
  }

  void tell(WorkflowId id, Message message) {
    region.tell(new ShardingEnvelope<>(id.value(), message));
  }

  /** For a workflow that could not be brought into memory now. */
  void wakeLater(WorkflowId id) {
    courier.later(settings.recoveryPauseMax(), () -> tell(id, Message.WakeUp.WAKE_UP));
  }

  CompletionStage<Answer> ask(
      WorkflowId id, Function<ActorRef<Answer>, Message> message, Duration limit) {
    return AskPattern.ask(
        region,
        replyTo -> new ShardingEnvelope<>(id.value(), message.apply(replyTo)),
        limit,
        system.scheduler());
  }

  static String persistenceId(WorkflowId id) {
    return "workflow|" + KeyText.column(id.value());
  }

  /** A hint for the actor that starts next: it need not ask the store what there is of the id. */
  void expectFresh(WorkflowId id) {
    boolean ours = Tenures.of(system).epochOf(ShardOf.workflow(id.value(), shards)).isPresent();
    if (ours && fresh.size() < WorkflowSettings.FRESH_MAX) fresh.add(id.value());
  }

  /** Takes the hint, whoever it was for: an old one must not mislead a later actor. */
  boolean takeFresh(WorkflowId id) {
    return fresh.remove(id.value());
  }

  void close() {
    residents.close();
    courier.close();
    inboxes.close();
    signals.close();
    activities.close();
    carriers.close();
  }
}
