package dev.tenure.sharding.process;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.tenure.persistence.merging.PipelineSettings;
import dev.tenure.persistence.postgres.PostgresStorage;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.cluster.ClusterRuntime;
import dev.tenure.sharding.cluster.ClusterSettings;
import java.time.Duration;
import java.time.InstantSource;

/** What nodes in processes of their own have in common. */
public final class OwnProcess {
  private OwnProcess() {}

  /** A node at a free port, which beats often. */
  public static ClusterRuntime runtime(String databaseUrl) {
    return runtime(databaseUrl, ConfigFactory.empty());
  }

  public static ClusterRuntime runtime(String databaseUrl, Config configured) {
    return ClusterRuntime.start(
        ClusterSettings.node("127.0.0.1", 0, TestDatabase.IDENTITY)
            .withTimes(Duration.ofMillis(250), Duration.ofSeconds(2)),
        PostgresStorage.open(TestDatabase.settings(databaseUrl)),
        PipelineSettings.DEFAULT,
        InstantSource.system(),
        configured);
  }
}
