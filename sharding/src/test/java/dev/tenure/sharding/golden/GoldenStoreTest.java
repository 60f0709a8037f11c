package dev.tenure.sharding.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.storage.StoreDump;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.message.Description;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.workflow.StartRequest;
import dev.tenure.sharding.workflow.TestNode;
import dev.tenure.sharding.workflow.Workflows;
import dev.tenure.workflow.NoEffectException;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stores as earlier releases left them: restored, migrated on, and every workflow in them described
 * and brought to its end. Each release adds one: see CONTRIBUTING.md.
 */
class GoldenStoreTest {
  private static final String FOLDER = "/dev/tenure/sharding/golden/";

  /** What each workflow stands at, and what becomes of it when it goes on. */
  private record Expected(Status status, String result) {}

  private static final Map<String, Expected> OPEN = new LinkedHashMap<>();

  static {
    OPEN.put("waiting", new Expected(Status.WAITING, "\"first on\""));
    OPEN.put("kid", new Expected(Status.WAITING, "\"first on\""));
    OPEN.put("parent", new Expected(Status.WAITING, "\"first on's parent\""));
    OPEN.put("renew", new Expected(Status.WAITING, "\"again on\""));
    OPEN.put("large", new Expected(Status.WAITING, "\"66000 on\""));
    OPEN.put("two-signals", new Expected(Status.WAITING, "\"on kept\""));
    OPEN.put("attributes", new Expected(Status.WAITING, "\"on\""));
    OPEN.put("updated", new Expected(Status.WAITING, "\"on\""));
    OPEN.put("paused", new Expected(Status.PAUSED, "\"first on\""));
    // What was due in the meantime goes on as soon as a node is there.
    OPEN.put("sleeping", new Expected(Status.WAITING, "\"awake\""));
    OPEN.put("shaky", new Expected(Status.RETRYING, "\"steady\""));
    OPEN.put("keyed", new Expected(Status.RETRYING, "\"paid\""));
  }

  private static TestNode node(TestDatabase database) {
    return TestNode.start(
        database,
        new TestNode.Plan()
            .with(Golden.class, Golden::new)
            .activity(
                ActivityRegistration.of(
                    Golden.KEYED,
                    (call, what) -> {
                      if (!Golden.mended) throw new NoEffectException("not yet");
                      return "paid";
                    })));
  }

  @ParameterizedTest
  @ValueSource(strings = "store-17.copy")
  void aStoreOfAnEarlierReleaseIsTakenOverAndEachWorkflowGoesOn(String file) throws IOException {
    Golden.mended = true;
    try (TestDatabase database = TestDatabase.empty()) {
      StoreDump.into(database, read(file));
      try (TestNode node = node(database)) {
        for (String id : OPEN.keySet())
          if (OPEN.get(id).status() != Status.RETRYING && !id.equals("sleeping"))
            assertThat(node.describe(id).status()).as(id).isEqualTo(OPEN.get(id).status());
        assertThat(node.describe("attributes").attributes()).containsKeys("who", "number");
        assertThat(node.describe("updated").version()).isGreaterThan(2);
        assertThat(ended(node, "done")).isEqualTo("\"first and second\"");
        assertThat(node.end("failed").status()).isEqualTo(Status.FAILED);
        assertThat(node.end("cancelled").status()).isEqualTo(Status.CANCELLED);
        assertThat(node.end("terminated").status()).isEqualTo(Status.TERMINATED);

        assertThat(TestNode.await(node.workflows().resume(WorkflowId.of("paused")))).isTrue();
        for (String id : OPEN.keySet()) if (!isAlone(id)) signal(node, id, "go", "on");
        for (String id : OPEN.keySet())
          assertThat(ended(node, id)).as(id).isEqualTo(OPEN.get(id).result());

        assertThat(node.describe("queued").open()).hasSize(1);
        WorkflowId queued = WorkflowId.of("queued");
        assertThat(TestNode.await(node.workflows().terminate(queued, "no worker"))).isTrue();
        assertThat(node.end("queued").status()).isEqualTo(Status.TERMINATED);
        for (String id : OPEN.keySet())
          assertThat(TestNode.await(node.workflows().history(WorkflowId.of(id), 1, 1_000)))
              .as(id)
              .isNotEmpty();
      }
    }
  }

  /** Whether it goes on without a signal. */
  private static boolean isAlone(String id) {
    return id.equals("parent") || id.equals("sleeping") || OPEN.get(id).status() == Status.RETRYING;
  }

  private static String ended(TestNode node, String id) {
    Workflows.Ended ended = node.end(id);
    if (ended.outcome() instanceof Outcome.Succeeded(Payload value))
      return new String(value.bytes(), StandardCharsets.UTF_8);
    throw new AssertionError(id + " came out as " + ended);
  }

  /** Run with {@code -Dtenure.golden=src/test/resources} when a migration was added. */
  @Test
  void aGoldenStoreOfThisReleaseCanBeWritten() throws IOException {
    String folder = System.getProperty("tenure.golden");
    Assumptions.assumeTrue(folder != null, "golden files are written only when asked for");
    Golden.mended = false;
    try (TestDatabase database = TestDatabase.migrated()) {
      try (TestNode node = node(database)) {
        fill(node);
      }
      String dump = StoreDump.of(database);
      String version = dump.lines().findFirst().orElseThrow().split(" ")[1];
      Path path = Path.of(folder + FOLDER + "store-" + version + ".copy");
      Files.createDirectories(path.getParent());
      Files.writeString(path, dump);
    }
  }

  private static void fill(TestNode node) {
    for (String id : OPEN.keySet()) if (!id.equals("kid") && !id.equals("paused")) start(node, id);
    for (String id : new String[] {"done", "failed", "queued"}) start(node, id);
    for (String id : new String[] {"paused", "cancelled", "terminated"}) start(node, id, "waiting");
    awaitStatus(node, "kid", Status.WAITING);
    awaitStatus(node, "paused", Status.WAITING);
    WorkflowId updated = WorkflowId.of("updated");
    TestNode.await(node.workflows().update(updated, "u-1", "add", TestNode.json(41)));
    signal(node, "two-signals", "other", "kept");
    TestNode.await(node.workflows().pause(WorkflowId.of("paused"), "a look"));
    TestNode.await(node.workflows().cancel(WorkflowId.of("cancelled"), "no need"));
    TestNode.await(node.workflows().terminate(WorkflowId.of("terminated"), "enough"));
    for (String id : new String[] {"done", "failed", "cancelled", "terminated"}) node.end(id);
    OPEN.forEach((id, expected) -> awaitStatus(node, id, expected.status()));
  }

  private static void start(TestNode node, String id) {
    start(node, id, id);
  }

  private static void start(TestNode node, String id, String what) {
    TestNode.await(node.workflows().start(StartRequest.of(id, "golden", TestNode.json(what))));
  }

  private static void signal(TestNode node, String id, String name, String value) {
    TestNode.await(
        node.workflows().signal(WorkflowId.of(id), name, TestNode.json(value), Optional.empty()));
  }

  private static void awaitStatus(TestNode node, String id, Status status) {
    Await.until(
        id + " is " + status,
        TestNode.SOON,
        () -> {
          try {
            Description description = node.describe(id);
            return description.status() == status;
          } catch (CompletionException notYet) {
            return false;
          }
        });
  }

  private static String read(String file) throws IOException {
    try (InputStream in = GoldenStoreTest.class.getResourceAsStream(FOLDER + file)) {
      Assumptions.assumeTrue(
          in != null || System.getProperty("tenure.golden") == null, "it is about to be written");
      assertThat(in).as(file).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
