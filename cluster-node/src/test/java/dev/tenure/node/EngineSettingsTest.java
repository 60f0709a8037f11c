package dev.tenure.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.node.catalog.Catalog;
import dev.tenure.node.config.NodeConfig;
import dev.tenure.persistence.merging.PipelineSettings;
import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.sharding.retention.RetentionSettings;
import dev.tenure.sharding.retention.WorkflowRetention;
import dev.tenure.sharding.retention.WorkflowRetention.Rule;
import dev.tenure.workflow.kernel.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is set on a node reaches what it is set for; every value differs from its default. */
class EngineSettingsTest {
  @TempDir Path folder;
  private NodeConfig config;

  @BeforeEach
  void read() throws IOException {
    Path file = folder.resolve("node.conf");
    Files.writeString(
        file,
        """
        tenure.storage.url = "jdbc:postgresql://db:5432/tenure"
        tenure.storage.user = "app"
        tenure.commit { connections = 3, batch = 123, queue = 4567, spread-above = 89 }
        tenure.workflows { code-limit = 3s, rest = 11s, resting = 12, scan-every = 700ms }
        tenure.workflows.events-per-snapshot = 2000
        tenure.lease { time-to-live = 9s, beat = 1500ms }
        tenure.retention { every = 90s, batch = 77, signal-answers = 3d, bulk-orders = 4d, workflows = "*=365d, order / timed-out = 36h" }
        """);
    config = NodeConfig.load(file, Map.of());
  }

  @Test
  void theLimitsOfCommitsReachThePipeline() {
    PipelineSettings pipeline = TenureNode.pipeline(config);
    assertThat(pipeline.lanes()).isEqualTo(3);
    assertThat(pipeline.batchLimit()).isEqualTo(123);
    assertThat(pipeline.queueLimit()).isEqualTo(4567);
    assertThat(pipeline.spreadAbove()).isEqualTo(89);
  }

  @Test
  void whatIsSaidOfWorkflowsReachesTheirOwners() {
    WorkflowSettings settings =
        EngineSettings.of(config, Catalog.EMPTY, PayloadCodec.standard(), InstantSource.system());
    assertThat(settings.codeLimit()).isEqualTo(Duration.ofSeconds(3));
    assertThat(settings.restLimit()).isEqualTo(Duration.ofSeconds(11));
    assertThat(settings.restingMax()).isEqualTo(12);
    assertThat(settings.scanEvery()).isEqualTo(Duration.ofMillis(700));
    assertThat(settings.limits())
        .isEqualTo(OwnerLimits.DEFAULT.withEventsPerSnapshot(2_000))
        .isNotEqualTo(OwnerLimits.DEFAULT);
    assertThat(settings.signals().retention()).isEqualTo(Duration.ofDays(3));
  }

  @Test
  void theTimesOfLeasesReachWhoeverKeepsThem() {
    var system = TenureNode.actorSystem(config);
    assertThat(system.getDuration("tenure.shard-lease.time-to-live"))
        .isEqualTo(Duration.ofSeconds(9));
    assertThat(system.getDuration("tenure.shard-lease.renew-every"))
        .isEqualTo(Duration.ofMillis(1_500));
  }

  @Test
  void whatIsRemovedIsRemovedAsOftenAsSaid() {
    assertThat(EngineSettings.retention(config))
        .isEqualTo(
            new RetentionSettings(Duration.ofSeconds(90), 77, Duration.ofDays(4))
                .withWorkflows(
                    new WorkflowRetention(
                        List.of(
                            new Rule(Optional.empty(), Optional.empty(), Duration.ofDays(365)),
                            new Rule(
                                Optional.of("order"),
                                Optional.of(Status.TIMED_OUT),
                                Duration.ofHours(36)))),
                    Duration.ofDays(3)));
  }
}
