package dev.tenure.sharding.workflow;

import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.signal.SignalDesk;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.sharding.activity.Activities;
import dev.tenure.sharding.code.PayloadCodec;
import dev.tenure.sharding.code.WorkflowTypes;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Kernel;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** What all workflows of a node share. */
final class Host {
  final Post post;
  final Storage storage;
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

  Host(
      Post everywhere,
      Storage storage,
      int shards,
      WorkflowSettings settings,
      WorkflowTypes types,
      Activities activities) {
    this.storage = storage;
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
    this.post = new Nearby(everywhere, residents);
  }

  /** For a workflow that could not be brought into memory now. */
  void wakeLater(WorkflowId id) {
    courier.later(settings.recoveryPauseMax(), () -> post.tell(id, Message.WakeUp.WAKE_UP));
  }

  static String persistenceId(WorkflowId id) {
    return "workflow|" + KeyText.column(id.value());
  }

  /** A hint for the actor that starts next: it need not ask the store what there is of the id. */
  void expectFresh(WorkflowId id) {
    if (post.isOurs(id) && fresh.size() < WorkflowSettings.FRESH_MAX) fresh.add(id.value());
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
