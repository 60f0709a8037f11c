package dev.tenure.http;

import com.typesafe.config.ConfigFactory;
import dev.tenure.http.access.Access;
import dev.tenure.http.gateway.Gateway;
import dev.tenure.http.gateway.GatewaySettings;
import dev.tenure.http.workflow.Engine;
import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.merging.PipelineSettings;
import dev.tenure.persistence.merging.SignalSettings;
import dev.tenure.persistence.postgres.PostgresStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.cluster.ClusterRuntime;
import dev.tenure.sharding.cluster.ClusterSettings;
import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.node.WorkflowNode;
import dev.tenure.workflow.WorkflowRegistration;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/** A node in this process, over a real database, reached over real HTTP. */
public final class Served implements AutoCloseable {
  static final Duration SOON = Duration.ofSeconds(60);

  private static final List<WorkflowRegistration<?>> TYPES =
      List.of(
          WorkflowRegistration.of(Basket.class, Basket::new),
          WorkflowRegistration.of(Basket.Echo.class, Basket.Echo::new),
          WorkflowRegistration.of(Basket.Failing.class, Basket.Failing::new),
          WorkflowRegistration.of(Basket.Fragile.class, Basket.Fragile::new),
          WorkflowRegistration.of(Basket.Robust.class, Basket.Robust::new),
          WorkflowRegistration.of(Payment.class, Payment::new));

  private final String url;
  private final Optional<TestDatabase> owned;
  final Storage storage;
  final ClusterRuntime runtime;
  final WorkflowNode node;
  final URI uri;

  private Served(String url, Optional<TestDatabase> owned, Plan plan) {
    this.url = url;
    this.owned = owned;
    this.storage = plan.storage.apply(PostgresStorage.open(TestDatabase.settings(url)));
    this.runtime =
        ClusterRuntime.start(
            ClusterSettings.node("127.0.0.1", 0, TestDatabase.IDENTITY)
                .withTimes(Duration.ofMillis(250), Duration.ofSeconds(1))
                .withoutExit(),
            storage,
            PipelineSettings.DEFAULT,
            InstantSource.system(),
            ConfigFactory.empty());
    this.node = WorkflowNode.start(runtime, settings(plan.retention), TYPES, Payment.activities());
    await(runtime.up());
    this.uri =
        await(
            Gateway.start(
                runtime.system(),
                plan.gateway.apply(GatewaySettings.of("127.0.0.1", 0, new Access.Open())),
                engine(),
                Optional.of(Served::probe)));
  }

  /** Says whether whoever asks may know more than whether it answers. */
  private static Optional<CompletionStage<HttpResponse>> probe(
      String path, HttpRequest request, BooleanSupplier mayKnowMore) {
    if (!path.equals("/probe")) return Optional.empty();
    String said = "{\"more\":%s}".formatted(mayKnowMore.getAsBoolean());
    return Optional.of(
        CompletableFuture.completedStage(
            HttpResponse.create().withEntity(ContentTypes.APPLICATION_JSON, said)));
  }

  /** What is different about it. */
  record Plan(
      UnaryOperator<GatewaySettings> gateway, UnaryOperator<Storage> storage, Duration retention) {
    static final Plan ORDINARY =
        new Plan(given -> given, given -> given, SignalSettings.DEFAULT.retention());
  }

  private static WorkflowSettings settings(Duration retention) {
    return WorkflowSettings.of(
            InstantSource.system(),
            () -> ThreadLocalRandom.current().nextLong(),
            () -> UUID.randomUUID().toString())
        .withSignals(SignalSettings.DEFAULT.withRetention(retention));
  }

  public static Served start() {
    return own(Plan.ORDINARY);
  }

  static Served start(UnaryOperator<GatewaySettings> gateway) {
    return own(new Plan(gateway, Plan.ORDINARY.storage, Plan.ORDINARY.retention));
  }

  /** With something between it and its storage. */
  static Served over(UnaryOperator<Storage> storage) {
    return own(new Plan(Plan.ORDINARY.gateway, storage, Plan.ORDINARY.retention));
  }

  /** Over a database that outlives it. */
  static Served start(TestDatabase database) {
    return at(database.url(), Plan.ORDINARY);
  }

  static Served at(String url, Plan plan) {
    return new Served(url, Optional.empty(), plan);
  }

  /** One that keeps the answers to signals no longer than that. */
  static Served withRetention(Duration retention) {
    return own(new Plan(Plan.ORDINARY.gateway, Plan.ORDINARY.storage, retention));
  }

  private static Served own(Plan plan) {
    TestDatabase database = TestDatabase.migrated();
    return new Served(database.url(), Optional.of(database), plan);
  }

  static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(SOON.toMillis(), TimeUnit.MILLISECONDS).join();
  }

  /** What a gateway of one's own is built on. */
  public ActorSystem<?> system() {
    return runtime.system();
  }

  public Engine engine() {
    return Engine.of(node.workflows(), storage, node.tasks(), () -> UUID.randomUUID().toString());
  }

  Http http() {
    return new Http(uri);
  }

  /** How many rows everything that a request could store has: equal before and after is nothing. */
  String stored() {
    return "starts %d, workflows %d, inbox %d, answers %d, tasks %d"
        .formatted(
            count("SELECT count(*) FROM event_journal"),
            count("SELECT count(*) FROM workflow_all"),
            count("SELECT count(*) FROM signal_inbox"),
            count("SELECT count(*) FROM signal_response"),
            count("SELECT count(*) FROM task"));
  }

  long count(String sql) {
    try (Connection c = DriverManager.getConnection(url, LocalPostgres.APPLICATION, "");
        Statement s = c.createStatement();
        ResultSet rows = s.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** Changes the database as nobody but its owner may. */
  void change(String sql) {
    owned.orElseThrow().execute(sql);
  }

  @Override
  public void close() {
    await(runtime.stop());
    storage.close();
    owned.ifPresent(TestDatabase::close);
  }
}
