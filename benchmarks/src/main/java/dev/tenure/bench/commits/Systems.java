package dev.tenure.bench.commits;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.tenure.bench.measure.BenchServer;
import dev.tenure.persistence.merging.PipelineSettings;
import dev.tenure.persistence.pekko.StorageSetup;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.setup.ActorSystemSetup;

/** The two actor systems that are compared: alike but for their journal. */
final class Systems {
  static final String FENCED = "tenure-journal";
  static final String STOCK = "jdbc-journal";
  static final String STOCK_DATABASE = "stock";

  private Systems() {}

  private static final String COMMON =
      """
      pekko.loglevel = WARNING
      pekko.stdout-loglevel = WARNING
      pekko.log-dead-letters = off
      pekko.actor.serializers.bench = "dev.tenure.bench.commits.BenchSerializer"
      pekko.actor.serialization-bindings."dev.tenure.bench.commits.BenchEvent" = bench
      """;

  static ActorSystem fenced(FencedStore store, PipelineSettings pipeline) {
    Config config =
        ConfigFactory.parseString(COMMON)
            .withFallback(ConfigFactory.parseResources("tenure-persistence.conf"))
            .withFallback(ConfigFactory.load());
    ActorSystemSetup setup =
        ActorSystemSetup.create(
            BootstrapSetup.create(config),
            new StorageSetup(store.storage(), pipeline, InstantSource.system()));
    return ActorSystem.create("bench", setup);
  }

  /**
   * The plugin as it comes, given what a careful user would give it: its own schema, a pool sized
   * for the machine, multi-row inserts, large batches and queues, and the same actor settings as
   * ours.
   */
  static ActorSystem stock(BenchServer server, int parallelism) {
    createStockSchema(server);
    Config config =
        ConfigFactory.parseString(COMMON)
            .withFallback(
                ConfigFactory.parseString(
                    """
                    pekko.persistence.no-snapshot-store.plugin-dispatcher = "pekko.actor.default-dispatcher"
                    pekko.persistence.max-concurrent-recoveries = 2000
                    pekko.actor.default-dispatcher {
                      fork-join-executor { parallelism-min = 2, parallelism-factor = 1.0 }
                      throughput = 20
                    }
                    jdbc-journal {
                      plugin-dispatcher = "pekko.actor.default-dispatcher"
                      write-response-global-order = off
                      replay-filter.mode = fail
                      bufferSize = 20000
                      batchSize = 400
                      parallelism = %d
                      slick {
                        profile = "slick.jdbc.PostgresProfile$"
                        db {
                          url = "%s?reWriteBatchedInserts=true&prepareThreshold=1"
                          user = postgres
                          password = ""
                          driver = "org.postgresql.Driver"
                          numThreads = 8
                          maxConnections = 8
                          minConnections = 8
                        }
                      }
                    }
                    """
                        .formatted(parallelism, server.postgres().url(STOCK_DATABASE))))
            .withFallback(ConfigFactory.load());
    return ActorSystem.create("bench", ActorSystemSetup.create(BootstrapSetup.create(config)));
  }

  private static void createStockSchema(BenchServer server) {
    String resource = "schema/postgres/postgres-create-schema.sql";
    server.postgres().createDatabase(STOCK_DATABASE);
    try (InputStream schema = Systems.class.getClassLoader().getResourceAsStream(resource);
        Connection c = server.postgres().connect(STOCK_DATABASE, "postgres");
        Statement s = c.createStatement()) {
      if (schema == null) throw new IllegalStateException("the plugin ships no " + resource);
      String all = new String(schema.readAllBytes(), StandardCharsets.UTF_8);
      s.execute("DROP SCHEMA public CASCADE");
      s.execute("CREATE SCHEMA public");
      // One by one: it builds an index concurrently, which no transaction may contain.
      for (String statement : all.split(";")) if (!statement.isBlank()) s.execute(statement);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (SQLException e) {
      throw new IllegalStateException("cannot create the stock schema", e);
    }
  }

  static void stop(ActorSystem system) {
    system.terminate();
    try {
      system.getWhenTerminated().toCompletableFuture().get(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("the actor system did not end", e);
    }
  }
}
