package dev.tenure.node;

import dev.tenure.node.catalog.Catalog;
import dev.tenure.node.config.NodeConfig;
import dev.tenure.persistence.merging.SignalSettings;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.sharding.host.UniqueIds;
import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.sharding.retention.RetentionSettings;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;

/** Makes the settings of the engine from those of the node, with real random numbers. */
final class EngineSettings {
  // A workflow's ids derive from its seed: clients must not be able to guess one from another.
  private static final SecureRandom SEEDS = new SecureRandom();

  private EngineSettings() {}

  static WorkflowSettings of(
      NodeConfig config, Catalog catalog, PayloadCodec payloads, InstantSource clock) {
    NodeConfig.WorkflowLimits limits = config.workflows();
    return WorkflowSettings.of(clock, SEEDS::nextLong, new UniqueIds(clock))
        .withCodec(payloads)
        .withInterceptors(catalog.interceptors())
        .withSignals(SignalSettings.DEFAULT.withRetention(config.retention().signalAnswers()))
        .withCodeLimit(limits.code())
        .withRest(limits.rest(), limits.resting())
        .withScanEvery(limits.scanEvery())
        .withLimits(OwnerLimits.DEFAULT.withEventsPerSnapshot(limits.eventsPerSnapshot()));
  }

  static RetentionSettings retention(NodeConfig config) {
    return new RetentionSettings(
        config.retention().every(),
        config.retention().batch(),
        config.retention().bulkOrders(),
        config.retention().workflows(),
        config.retention().signalAnswers());
  }

  static List<? extends ActivityRegistration<?, ?>> activities(
      Catalog catalog, NodeConfig.WorkflowLimits limits) {
    return catalog.activities().stream()
        .map(
            code ->
                ActivityRegistration.of(
                    code, limits.activitiesRunning(), limits.activitiesWaiting()))
        .toList();
  }
}
