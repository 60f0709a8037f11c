package dev.tenure.node;

import dev.tenure.node.catalog.Catalog;
import dev.tenure.node.config.NodeConfig;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.code.PayloadCodec;
import dev.tenure.sharding.workflow.WorkflowSettings;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;

/** What the node's settings mean for what runs workflows; here its clock and its chance come in. */
final class EngineSettings {
  // A workflow's ids derive from its seed: nobody must be able to guess one from another.
  private static final SecureRandom SEEDS = new SecureRandom();

  private EngineSettings() {}

  static WorkflowSettings of(NodeConfig.WorkflowLimits limits, PayloadCodec payloads) {
    return WorkflowSettings.of(
            InstantSource.system(), SEEDS::nextLong, () -> UUID.randomUUID().toString())
        .withCodec(payloads)
        .withCodeLimit(limits.code())
        .withRest(limits.rest(), limits.resting())
        .withScanEvery(limits.scanEvery());
  }

  static List<? extends ActivityRegistration<?, ?>> activities(
      Catalog catalog, NodeConfig.WorkflowLimits limits) {
    return catalog.activities().stream()
        .map(code -> code.on(limits.activitiesRunning(), limits.activitiesWaiting()))
        .toList();
  }
}
