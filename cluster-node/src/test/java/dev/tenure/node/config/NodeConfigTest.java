package dev.tenure.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tenure.http.access.Throttle;
import dev.tenure.http.gateway.RequestLimits;
import dev.tenure.persistence.storage.CheckpointOwnership;
import dev.tenure.sharding.retention.WorkflowRetention;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NodeConfigTest {
  private static final String ENOUGH =
      """
      tenure.storage.url = "jdbc:postgresql://db:5432/tenure"
      tenure.storage.user = "app"
      """;
  private static final String HIDDEN = "correct-horse-battery";

  @TempDir Path folder;

  @Test
  void theDefaultsAreSafeAndOnlyTheDatabaseMustBeGiven() {
    NodeConfig config = load(ENOUGH, Map.of());

    assertThat(config.ownership()).isEqualTo(CheckpointOwnership.CAS_REQUIRED);
    assertThat(config.shards()).isEqualTo(128);
    assertThat(config.http()).isEqualTo(new Endpoint("127.0.0.1", 7300));
    assertThat(config.node()).isEqualTo(new Endpoint("127.0.0.1", 7301));
    assertThat(config.storage().acceptedFindings()).isEmpty();
    assertThat(config.storage().migration()).isEmpty();
    assertThat(config.commit()).isEqualTo(new NodeConfig.CommitLimits(2, 400, 20_000, 100));
    assertThat(config.workflows())
        .isEqualTo(
            new NodeConfig.WorkflowLimits(
                Duration.ofSeconds(2),
                Duration.ofSeconds(10),
                10_000,
                Duration.ofSeconds(1),
                1_000,
                200,
                10_000));
    assertThat(config.httpLimits())
        .isEqualTo(new HttpLimits(Throttle.Limits.DEFAULT, RequestLimits.DEFAULT));
    assertThat(config.retention())
        .isEqualTo(
            new NodeConfig.RetentionTimes(
                Duration.ofMinutes(1),
                500,
                Duration.ofDays(7),
                Duration.ofDays(30),
                WorkflowRetention.FOR_EVER));
    assertThat(config.lease().beat().multipliedBy(3)).isLessThan(config.lease().timeToLive());
    assertThat(config.remarks()).isEmpty();
  }

  @Test
  void theEnvironmentWinsOverTheFileAndTheFileOverTheDefaults() {
    NodeConfig config =
        load(
            ENOUGH + "tenure { http.port = 1111, node.port = 2222, lease.beat = 1s }",
            Map.of("TENURE_HTTP_PORT", "3333", "TENURE_LEASE_TIME_TO_LIVE", "7s"));

    assertThat(config.http().port()).isEqualTo(3333);
    assertThat(config.node().port()).isEqualTo(2222);
    assertThat(config.lease())
        .isEqualTo(new NodeConfig.LeaseTimes(Duration.ofSeconds(7), Duration.ofSeconds(1)));
  }

  @Test
  void everySettingCanBeGivenByTheEnvironmentAlone() {
    KnownSettings known = new KnownSettings(ConfigurationSources.defaults());
    Map<String, String> environment = new HashMap<>();
    known.keys().forEach(key -> environment.put(ConfigurationSources.variableOf(key), "x"));

    assertThat(known.keys()).isNotEmpty();
    assertThat(known.fromEnvironment(environment).entrySet()).hasSize(known.keys().size());
  }

  @Test
  void anEmptyVariableCountsAsNotSet() {
    assertThat(load(ENOUGH, Map.of("TENURE_HTTP_PORT", "")).http().port()).isEqualTo(7300);
  }

  @Test
  void aFileMayUseVariablesOfItsOwn() {
    NodeConfig config =
        load(
            """
            db-host = ${DB_HOST}
            tenure.storage { url = "jdbc:postgresql://"${db-host}"/t", user = ${?NOBODY}, user = "me" }
            """,
            Map.of("DB_HOST", "pg1"));

    assertThat(config.storage().url()).isEqualTo("jdbc:postgresql://pg1/t");
  }

  @Test
  void settingsOfPekkoPassThroughAndThoseOfTheNodeDoNot() {
    NodeConfig config =
        load(ENOUGH + "pekko.loglevel = DEBUG\ntenure.storage.password = " + HIDDEN, Map.of());

    assertThat(config.other().getString("pekko.loglevel")).isEqualTo("DEBUG");
    assertThat(config.other().hasPath("tenure")).isFalse();
    assertThat(config.other().root().render()).doesNotContain(HIDDEN);
  }

  /** What is wrong, and what the message must contain. */
  static Stream<Arguments> mistakes() {
    return Stream.of(
        mistake("tenure.htp.port = 1", "tenure.htp", "is not a setting", "is tenure.http"),
        mistake("tenure.http.prot = 1", "tenure.http.prot", "is tenure.http.port meant?"),
        mistake("tenure.pool-size = 1", "is tenure.storage.pool-size meant?"),
        mistake("tenur.http.port = 1", "tenur", "is tenure meant?"),
        mistake("tenure = 5", "tenure", "is a section"),
        mistake("tenure.storage.url.host = x", "tenure.storage.url", "single value"),
        mistake("tenure.lease = 3s", "tenure.lease", "is a section"),
        mistake("tenure.shards = [1]", "tenure.shards", "is a list"),
        mistake("tenure.http.port = http", "'http'", "from 0 to 65535", "TENURE_HTTP_PORT"),
        mistake("tenure.http.port = 65536", "'65536'", "from 0 to 65535"),
        mistake("tenure.node.port = -1", "'-1'", "TENURE_NODE_PORT"),
        mistake("tenure.retention.signal-answers = 7", "'7'", "TENURE_RETENTION_SIGNAL_ANSWERS"),
        mistake("tenure.retention.signal-answers = 10s", "'10s'", "from 86400s to"),
        mistake("tenure.http.limits.body-bytes = 2MiB", "'2MiB'", "from 1024 to 67108864"),
        mistake("tenure.http.limits.json-depth = 65", "'65'", "from 8 to 64"),
        mistake("tenure.http.limits.header-count = 0", "'0'", "TENURE_HTTP_LIMITS_HEADER_COUNT"),
        mistake("tenure.http.limits.rate = 0", "'0'", "from 1 to 1000000"),
        mistake("tenure.http.limits.wait = 61s", "'61s'", "from 0s to 60s"),
        mistake("tenure.http.limits.open = 1999", "open-per-credential"),
        mistake("tenure.http.limit.rate = 5", "is tenure.http.limits meant?"),
        mistake("tenure.http.credentials-read-every = 1ms", "'1ms'", "from 100ms to"),
        mistake("tenure.retention.workflows = \"order\"", "'order'", "'order' has no time"),
        mistake("tenure.retention.workflows = \"order=5\"", "'order=5'", "has no unit"),
        mistake("tenure.retention.workflows = \"order=10s\"", "'order=10s'", "cannot be kept for"),
        mistake("tenure.retention.workflows = \"*/running=5d\"", "running", "is not closed"),
        mistake("tenure.retention.workflows = \"*/done=5d\"", "'done' is no status", "completed"),
        mistake("tenure.retention.workflows = \"a=5d,a=6d\"", "a=5d,a=6d", "two rules"),
        mistake("tenure.retention.batch = 0", "'0'", "from 1 to 10000"),
        mistake("tenure.http.port = 73.5", "'73.5'", "whole number"),
        mistake("tenure.http.port = 1e400", "tenure.http.port", "whole number"),
        mistake("tenure.http.host = null", "tenure.http.host", "is not set"),
        mistake("tenure.node.host = 0.0.0.0", "tenure.node.host", "other nodes can reach"),
        mistake("tenure { node.port = 7, http.port = 7 }", "tenure.http.port", "tenure.node.port"),
        mistake("tenure.shards = 0", "tenure.shards", "'0'", "from 1 to 10000"),
        mistake("tenure.shards = 10001", "tenure.shards", "'10001'"),
        mistake("tenure.storage.url = \"jdbc:mysql://x/y\"", "jdbc:postgresql://host"),
        mistake("tenure.storage.user = \"\"", "tenure.storage.user", "is not set"),
        mistake("tenure.storage.pool-size = 0", "tenure.storage.pool-size", "from 3 to 1000"),
        mistake(
            "tenure.storage.accepted-findings = all", "'all'", "fsync-off", "wal-compression-off"),
        mistake("tenure.storage.accepted-findings = \"fsync-off,standby\"", "fsync-off,standby"),
        mistake("tenure.storage.password-file = /does/not/exist", "/does/not/exist", "readable"),
        mistake("tenure.storage.migration-password = x", "tenure.storage.migration-user"),
        mistake("tenure.checkpoint-ownership = cas", "'cas'", "cas-required or single-owner"),
        mistake("tenure.lease.time-to-live = 10", "'10'", "unit"),
        mistake("tenure.lease.time-to-live = 10 parsecs", "'10 parsecs'", "unit"),
        mistake("tenure.lease.time-to-live = 500ms", "'500ms'", "from 1s"),
        mistake("tenure.lease.time-to-live = 11m", "'11m'", "to 600s"),
        mistake("tenure.lease.beat = 4s", "tenure.lease.beat", "at most a third"),
        mistake("tenure.lease.beat = 99ms", "'99ms'", "from 100ms"),
        mistake("tenure.commit.connections = 9", "tenure.commit.connections", "from 1 to 8"),
        mistake("tenure.storage.pool-size = 3", "tenure.commit.connections", "two fewer than"),
        mistake("tenure.commit.batch = 10001", "tenure.commit.batch", "from 1 to 10000"),
        mistake("tenure.commit.queue = 399", "tenure.commit.queue", "tenure.commit.batch"),
        mistake("tenure.commit.spread-above = -1", "tenure.commit.spread-above", "from 0"),
        mistake("tenure.workflows.code-limit = 99ms", "tenure.workflows.code-limit", "100ms"),
        mistake("tenure.workflows.rest = 10", "tenure.workflows.rest", "with its unit"),
        mistake("tenure.workflows.resting = -1", "tenure.workflows.resting", "from 0"),
        mistake("tenure.workflows.scan-every = 2m", "tenure.workflows.scan-every", "to 60s"),
        mistake("tenure.workflows.events-per-snapshot = 19", "events-per-snapshot", "from 20"),
        mistake("tenure.workflows.activities.running = 0", "activities.running", "from 1"),
        mistake("tenure.workflows.activities.waiting = x", "activities.waiting", "from 0"));
  }

  private static Arguments mistake(String line, String... expected) {
    return Arguments.of(line, List.of(expected));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mistakes")
  void aMistakeIsRefusedAndNamed(String line, List<String> expected) {
    ConfigurationError error = refused(ENOUGH + line, Map.of());

    assertThat(error.problems()).hasSize(1);
    assertThat(error.problems().getFirst()).contains(expected);
    assertThat(error.problems().getFirst()).matches("(?s)^tenur.*");
  }

  @Test
  void aMistakeInTheEnvironmentIsNamedByItsVariable() {
    ConfigurationError error = refused(ENOUGH, Map.of("TENURE_HTTP_PORT", "tcp://10.0.0.1:7300"));

    assertThat(error)
        .hasMessageContaining("tenure.http.port (TENURE_HTTP_PORT)")
        .hasMessageContaining("enableServiceLinks");
  }

  @Test
  void everythingThatIsWrongIsReportedAtOnce() {
    ConfigurationError error =
        refused(
            "tenure { http.port = x, shards = -3, lease.beat = often, storage.pol-size = 1 }",
            Map.of("TENURE_COMMIT_BATCH", "many"));

    assertThat(error.problems()).hasSize(7);
    assertThat(error)
        .hasMessageContaining("7 problems")
        .hasMessageContaining("tenure.http.port")
        .hasMessageContaining("tenure.shards")
        .hasMessageContaining("tenure.lease.beat")
        .hasMessageContaining("is tenure.storage.pool-size meant?")
        .hasMessageContaining("tenure.commit.batch")
        .hasMessageContaining("tenure.storage.url is not set")
        .hasMessageContaining("tenure.storage.user is not set");
  }

  @Test
  void aVariableThatLooksLikeASettingIsRemarkedUpon() {
    NodeConfig config =
        load(ENOUGH, Map.of("TENURE_SHARD", "3", "TENURE_SERVICE_HOST", "10.0.0.1"));

    assertThat(config.remarks()).hasSize(1);
    assertThat(config.remarks().getFirst()).contains("TENURE_SHARD", "TENURE_SHARDS");
  }

  @Test
  void whatOtherMachinesCanReachInTheClearIsRemarkedUpon() {
    String outside = ENOUGH + "tenure.http.host = 0.0.0.0\n";
    assertThat(load(outside, Map.of()).remarks())
        .singleElement()
        .asString()
        .contains("tenure.http.tls", "0.0.0.0:7300");
    assertThat(load(outside + "tenure.http.access = open", Map.of()).remarks())
        .singleElement()
        .asString()
        .contains("tenure.http.access", "every client");
  }

  @Test
  void aFileThatIsMissingOrBrokenIsNamed() {
    Path missing = folder.resolve("missing.conf");
    assertThatExceptionOfType(ConfigurationError.class)
        .isThrownBy(() -> NodeConfig.load(missing, Map.of()))
        .withMessageContaining("missing.conf")
        .withMessageContaining("does not exist");
    assertThat(refused("tenure {", Map.of()))
        .hasMessageContaining("node.conf")
        .hasMessageContaining("cannot be read");
    assertThat(refused("tenure.http.host = ${NOT_THERE}", Map.of()))
        .hasMessageContaining("NOT_THERE");
  }

  @Test
  void passwordsAreReadFromFilesWithoutTheirLineBreak() throws IOException {
    Path file = Files.writeString(folder.resolve("password"), HIDDEN + "\n");
    NodeConfig config =
        load(
            ENOUGH,
            Map.of(
                "TENURE_STORAGE_PASSWORD_FILE", file.toString(),
                "TENURE_STORAGE_MIGRATION_USER", "owner",
                "TENURE_STORAGE_MIGRATION_PASSWORD_FILE", file.toString()));

    assertThat(config.storage().user().password()).contains(new Secret(HIDDEN));
    assertThat(config.storage().migration())
        .contains(new NodeConfig.Login("owner", java.util.Optional.of(new Secret(HIDDEN))));
  }

  @Test
  void anEmptyPasswordFileIsRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("password"), "\n");
    assertThat(refused(ENOUGH, Map.of("TENURE_STORAGE_PASSWORD_FILE", file.toString())))
        .hasMessageContaining("tenure.storage.password-file")
        .hasMessageContaining("not empty");
  }

  @Test
  void noSecretIsEverPrinted() throws IOException {
    Path file = Files.writeString(folder.resolve("password"), HIDDEN);
    String inFile = "tenure.storage.password = " + HIDDEN + "\n";

    assertThat(load(ENOUGH + inFile, Map.of()).toString()).doesNotContain(HIDDEN);
    assertThat(
            refused(ENOUGH + inFile + "tenure.storage.password-file = " + quoted(file), Map.of()))
        .hasMessageContaining("both set")
        .message()
        .doesNotContain(HIDDEN);
    for (String url : List.of("db/t?password=" + HIDDEN, "me:" + HIDDEN + "@db/t")) {
      assertThat(
              refused(ENOUGH + "tenure.storage.url = \"jdbc:postgresql://" + url + '"', Map.of()))
          .hasMessageContaining("tenure.storage.url")
          .message()
          .doesNotContain(HIDDEN);
    }
  }

  private static String quoted(Path file) {
    return '"' + file.toString() + '"';
  }

  private NodeConfig load(String text, Map<String, String> environment) {
    try {
      return NodeConfig.load(Files.writeString(folder.resolve("node.conf"), text), environment);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private ConfigurationError refused(String text, Map<String, String> environment) {
    return org.assertj.core.api.Assertions.catchThrowableOfType(
        ConfigurationError.class, () -> load(text, environment));
  }
}
