package dev.tenure.node.config;

import com.typesafe.config.Config;
import dev.tenure.node.config.NodeConfig.CommitLimits;
import dev.tenure.node.config.NodeConfig.Database;
import dev.tenure.node.config.NodeConfig.LeaseTimes;
import dev.tenure.node.config.NodeConfig.Login;
import dev.tenure.node.config.NodeConfig.RetentionTimes;
import dev.tenure.node.config.NodeConfig.WorkflowLimits;
import dev.tenure.persistence.merging.PipelineSettings;
import dev.tenure.persistence.postgres.PostgresSettings;
import dev.tenure.persistence.signal.Signals;
import dev.tenure.persistence.storage.CheckpointOwnership;
import dev.tenure.persistence.storage.Finding;
import dev.tenure.persistence.storage.StoreIdentity;
import dev.tenure.sharding.retention.RetentionSettings;
import dev.tenure.sharding.retention.WorkflowRetention;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Which keys there are, what they allow alone, and what they allow together. */
final class NodeConfigReader {
  private static final Set<String> EVERY_INTERFACE = Set.of("0.0.0.0", "::", "[::]");

  private static final String ACCEPTABLE =
      Finding.Kind.acceptable().stream()
          .map(Finding.Kind::configName)
          .collect(Collectors.joining(", ", "some of ", ", with commas between them"));

  private final SettingReader reader;
  private final Problems problems;

  NodeConfigReader(SettingReader reader, Problems problems) {
    this.reader = reader;
    this.problems = problems;
  }

  NodeConfig read(Config other, List<String> remarks) {
    Endpoint node = node();
    Endpoint http = http();
    HttpAccess access = new HttpAccessReader(reader).read();
    List<String> allRemarks = new ArrayList<>(remarks);
    access.remark(http).ifPresent(allRemarks::add);
    return new NodeConfig(
        node,
        reader.text("tenure.node.bind-host").orElse(node.host()),
        http,
        access,
        HttpLimits.read(reader),
        storage(),
        CheckpointOwnership.parse(
            reader.choice("tenure.checkpoint-ownership", NodeConfig.ownershipNames())),
        reader.integer("tenure.shards", StoreIdentity.MIN_SHARDS, StoreIdentity.MAX_SHARDS),
        lease(),
        commit(),
        workflows(),
        retention(),
        other,
        List.copyOf(allRemarks));
  }

  private Endpoint node() {
    Endpoint node = endpoint("tenure.node");
    if (EVERY_INTERFACE.contains(node.host())) {
      reader.wrong("tenure.node.host", "a name or address that the other nodes can reach", "");
    }
    return node;
  }

  private Endpoint http() {
    Endpoint http = endpoint("tenure.http");
    // Two listeners on one port fail anyhow; here the message can name both keys.
    if (http.port() != 0
        && reader.text("tenure.node.port").equals(reader.text("tenure.http.port"))) {
      reader.wrong("tenure.http.port", "another port than that of tenure.node.port", 0);
    }
    return http;
  }

  private Endpoint endpoint(String section) {
    return new Endpoint(
        reader.required(section + ".host", "a host name or an address"),
        reader.integer(section + ".port", 0, Endpoint.PORT_MAX));
  }

  private Database storage() {
    String allowed = "jdbc:postgresql://host:port/database";
    String url = reader.required("tenure.storage.url", allowed);
    checkUrl(url, allowed);
    String user = reader.required("tenure.storage.user", "the name of a database role");
    Optional<Secret> password = reader.secret("tenure.storage.password");
    return new Database(
        url,
        new Login(user, password),
        migration(),
        reader.integer(
            "tenure.storage.pool-size", NodeConfig.POOL_MIN, PostgresSettings.MAX_POOL_SIZE),
        acceptedFindings());
  }

  private Set<Finding.Kind> acceptedFindings() {
    String key = "tenure.storage.accepted-findings";
    Set<Finding.Kind> accepted = EnumSet.noneOf(Finding.Kind.class);
    for (String name : reader.text(key).orElse("").split(",")) {
      if (name.isBlank()) continue;
      Optional<Finding.Kind> kind = Finding.Kind.acceptable(name.strip());
      if (kind.isEmpty()) return reader.wrong(key, ACCEPTABLE, Set.of());
      accepted.add(kind.get());
    }
    return accepted;
  }

  private void checkUrl(String url, String allowed) {
    String lowerCase = url.toLowerCase(Locale.ROOT);
    if (lowerCase.contains("password=") || lowerCase.contains("user=") || url.contains("@")) {
      // The url itself is not repeated: it holds a secret.
      reader.problem(
          "tenure.storage.url",
          "has a user or password in it, and a url is printed in many places; set"
              + " tenure.storage.user and tenure.storage.password-file");
    } else if (!url.isEmpty() && !url.startsWith("jdbc:postgresql:")) {
      reader.wrong("tenure.storage.url", allowed, "");
    }
  }

  private Optional<Login> migration() {
    Optional<String> user = reader.text("tenure.storage.migration-user");
    Optional<Secret> password = reader.secret("tenure.storage.migration-password");
    if (user.isEmpty() && password.isPresent()) {
      reader.problem(
          "tenure.storage.migration-user", "is not set, although its password is; set both");
    }
    return user.map(name -> new Login(name, password));
  }

  private LeaseTimes lease() {
    int before = problems.count();
    Duration timeToLive =
        reader.duration("tenure.lease.time-to-live", Duration.ofSeconds(1), NodeConfig.LEASE_MAX);
    Duration beat = reader.duration("tenure.lease.beat", NodeConfig.BEAT_MIN, NodeConfig.LEASE_MAX);
    if (problems.count() == before && beat.multipliedBy(3).compareTo(timeToLive) > 0) {
      // One lost beat, and a second that is slow, must not cost the shards.
      reader.wrong("tenure.lease.beat", "at most a third of tenure.lease.time-to-live", beat);
    }
    return new LeaseTimes(timeToLive, beat);
  }

  private CommitLimits commit() {
    int before = problems.count();
    int connections = reader.integer("tenure.commit.connections", 1, PipelineSettings.MAX_LANES);
    int batch = reader.integer("tenure.commit.batch", 1, NodeConfig.COMMIT_BATCH_MAX);
    int queue = reader.integer("tenure.commit.queue", 1, NodeConfig.COMMIT_QUEUE_MAX);
    int spreadAbove = reader.integer("tenure.commit.spread-above", 0, NodeConfig.COMMIT_QUEUE_MAX);
    if (problems.isEmpty()
        && Integer.parseInt(reader.text("tenure.storage.pool-size").orElseThrow()) - 2
            < connections) {
      // Lists, and everything else, need one each.
      reader.wrong(
          "tenure.commit.connections",
          "at least two fewer than tenure.storage.pool-size",
          connections);
    }
    if (problems.count() == before && queue < batch) {
      reader.wrong("tenure.commit.queue", "at least tenure.commit.batch", queue);
    }
    return new CommitLimits(connections, batch, queue, spreadAbove);
  }

  private RetentionTimes retention() {
    return new RetentionTimes(
        reader.duration(
            "tenure.retention.every", RetentionSettings.EVERY_MIN, RetentionSettings.EVERY_MAX),
        reader.integer("tenure.retention.batch", 1, RetentionSettings.BATCH_MAX),
        reader.duration(
            "tenure.retention.signal-answers",
            NodeConfig.SIGNAL_ANSWERS_MIN,
            Signals.MAX_RETENTION),
        reader.duration(
            "tenure.retention.bulk-orders",
            NodeConfig.BULK_ORDERS_MIN,
            RetentionSettings.BULK_ORDERS_MAX),
        closedWorkflows());
  }

  private WorkflowRetention closedWorkflows() {
    Optional<String> rules = reader.text("tenure.retention.workflows");
    if (rules.isEmpty()) return WorkflowRetention.FOR_EVER;
    try {
      return RetentionRules.parse(rules.get());
    } catch (IllegalArgumentException e) {
      return reader.wrong(
          "tenure.retention.workflows",
          RetentionRules.ALLOWED + " (" + e.getMessage() + ")",
          WorkflowRetention.FOR_EVER);
    }
  }

  private WorkflowLimits workflows() {
    return new WorkflowLimits(
        reader.duration(
            "tenure.workflows.code-limit", NodeConfig.CODE_LIMIT_MIN, NodeConfig.CODE_LIMIT_MAX),
        reader.duration("tenure.workflows.rest", Duration.ZERO, NodeConfig.REST_MAX),
        reader.integer("tenure.workflows.resting", 0, NodeConfig.RESTING_MAX),
        reader.duration("tenure.workflows.scan-every", NodeConfig.SCAN_MIN, NodeConfig.SCAN_MAX),
        reader.integer(
            "tenure.workflows.events-per-snapshot",
            NodeConfig.EVENTS_PER_SNAPSHOT_MIN,
            NodeConfig.EVENTS_PER_SNAPSHOT_MAX),
        reader.integer("tenure.workflows.activities.running", 1, NodeConfig.ACTIVITIES_RUNNING_MAX),
        reader.integer(
            "tenure.workflows.activities.waiting", 0, NodeConfig.ACTIVITIES_WAITING_MAX));
  }
}
