package dev.tenure.node.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.tenure.persistence.postgres.PostgresSettings;
import dev.tenure.persistence.storage.CheckpointOwnership;
import dev.tenure.persistence.storage.Finding;
import dev.tenure.sharding.retention.WorkflowRetention;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Everything that can be set on a node, read and checked before anything is opened.
 *
 * @param bindHost the interface on which the node listens for others
 * @param other what the file says outside of {@code tenure}: settings of Pekko
 * @param remarks what looks odd but is allowed, for the log
 */
public record NodeConfig(
    Endpoint node,
    String bindHost,
    Endpoint http,
    HttpAccess httpAccess,
    HttpLimits httpLimits,
    Database storage,
    CheckpointOwnership ownership,
    int shards,
    LeaseTimes lease,
    CommitLimits commit,
    WorkflowLimits workflows,
    RetentionTimes retention,
    Config other,
    List<String> remarks) {

  public static final int POOL_MIN = PostgresSettings.MIN_POOL_SIZE;
  public static final int COMMIT_BATCH_MAX = 10_000;
  public static final int COMMIT_QUEUE_MAX = 1_000_000;
  public static final Duration LEASE_MAX = Duration.ofMinutes(10);
  public static final Duration BEAT_MIN = Duration.ofMillis(100);

  public static final Duration CODE_LIMIT_MIN = Duration.ofMillis(100);
  public static final Duration CODE_LIMIT_MAX = Duration.ofMinutes(5);
  public static final Duration REST_MAX = Duration.ofDays(1);
  public static final int RESTING_MAX = 1_000_000;
  public static final Duration SCAN_MIN = Duration.ofMillis(100);
  public static final Duration SCAN_MAX = Duration.ofMinutes(1);
  public static final int EVENTS_PER_SNAPSHOT_MIN = 20;
  public static final int EVENTS_PER_SNAPSHOT_MAX = 1_000_000_000;
  public static final int ACTIVITIES_RUNNING_MAX = 100_000;
  public static final int ACTIVITIES_WAITING_MAX = 1_000_000;
  public static final Duration SIGNAL_ANSWERS_MIN = Duration.ofDays(1);
  public static final Duration BULK_ORDERS_MIN = Duration.ofMinutes(1);

  /**
   * The database and who the node is in it.
   *
   * @param acceptedFindings what it lacks, and the node starts nevertheless
   */
  public record Database(
      String url,
      Login user,
      Optional<Login> migration,
      int poolSize,
      Set<Finding.Kind> acceptedFindings) {}

  /** A database user; one without a password is known to the server by other means. */
  public record Login(String user, Optional<Secret> password) {}

  public record LeaseTimes(Duration timeToLive, Duration beat) {}

  public record CommitLimits(int connections, int batch, int queue, int spreadAbove) {}

  /**
   * How workflows run on the node.
   *
   * @param code how long their code may run between two waits
   * @param rest how long one that waits stays in memory, and how many may
   * @param scanEvery how often the node looks for what became due
   * @param eventsPerSnapshot the fewest events between two snapshots of a run
   * @param activitiesRunning of one type, on this node, unless it was registered with its own limit
   * @param activitiesWaiting of one type, before one more has to come back later
   */
  public record WorkflowLimits(
      Duration code,
      Duration rest,
      int resting,
      Duration scanEvery,
      int eventsPerSnapshot,
      int activitiesRunning,
      int activitiesWaiting) {}

  /**
   * For how long what is over is kept.
   *
   * @param every how often one node of the cluster removes it
   * @param batch rows that one statement removes at most
   * @param signalAnswers how long the answer to a signal is kept for its retries
   * @param bulkOrders how long a finished bulk order can still be looked at
   * @param workflows how long closed workflows are kept
   */
  public record RetentionTimes(
      Duration every,
      int batch,
      Duration signalAnswers,
      Duration bulkOrders,
      WorkflowRetention workflows) {}

  /** How to reach the database. */
  public PostgresSettings database() {
    PostgresSettings settings =
        PostgresSettings.of(storage.url(), storage.user().user(), password(storage.user()))
            .withPoolSize(storage.poolSize())
            .withCommitConnections(commit.connections());
    return storage
        .migration()
        .map(owner -> settings.withMigration(owner.user(), password(owner)))
        .orElse(settings);
  }

  private static String password(Login login) {
    return login.password().map(Secret::reveal).orElse("");
  }

  /** Reads a file over the defaults, and the environment over the file. */
  public static NodeConfig load(Path file, Map<String, String> environment) {
    return load(ConfigurationSources.ofEnvironment(environment).withFile(file));
  }

  /** Reads and checks; throws {@link ConfigurationError} with all that is wrong. */
  public static NodeConfig load(ConfigurationSources sources) {
    KnownSettings known = new KnownSettings(ConfigurationSources.defaults());
    Config file = sources.fileSettings(known.defaults());
    Problems problems = new Problems();
    Config given =
        sources
            .overrides()
            .withFallback(known.fromEnvironment(sources.environment()))
            .withFallback(file);
    Config settings = known.checked(given, problems).withFallback(known.defaults());
    NodeConfig read =
        new NodeConfigReader(new SettingReader(settings, problems), problems)
            .read(withoutSection(file), known.suspiciousVariables(sources.environment()));
    if (!problems.isEmpty()) throw problems.asError();
    return read;
  }

  // The actor system can print its configuration: the passwords are kept out of it.
  private static Config withoutSection(Config file) {
    return file.isEmpty() ? ConfigFactory.empty() : file.withoutPath(KnownSettings.ROOT);
  }

  static Set<String> ownershipNames() {
    return Arrays.stream(CheckpointOwnership.values())
        .map(CheckpointOwnership::configName)
        .collect(Collectors.toSet());
  }
}
