package dev.tenure.sharding.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.crash.Payments.Kind;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.process.NodeProcess;
import dev.tenure.sharding.workflow.TestNode;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Nodes in processes that end or pause, the node after them, and a receiver that outlives all. */
abstract class CrashFixture {
  static final Duration LIMIT = Duration.ofSeconds(90);

  private TestDatabase database;
  Receiver receiver;

  @BeforeEach
  void begin() {
    database = TestDatabase.migrated();
    receiver = new Receiver();
  }

  @AfterEach
  void end() {
    receiver.close();
    database.close();
  }

  /**
   * How a payment stands after another process took over, and how often the receiver was called.
   */
  record Seen(String outcome, long calls) {}

  static final String INCIDENT = "incident";

  /** As the arguments of {@link CrashingNode} say where. */
  NodeProcess launch(String... stops) {
    List<String> arguments = new ArrayList<>();
    arguments.add(database.url());
    arguments.add(Integer.toString(receiver.port()));
    arguments.addAll(List.of(stops));
    return NodeProcess.start("crashing-" + stops[0], CrashingNode.class, arguments).awaitUp(LIMIT);
  }

  TestNode takeOver() {
    Payments payments = new Payments(receiver.port());
    TestNode.Plan plan = new TestNode.Plan();
    Payments.types().forEach(plan::type);
    payments.activities().forEach(plan::activity);
    return TestNode.start(database, plan);
  }

  static String id(Kind kind) {
    return kind.activity();
  }

  Map<Kind, Seen> seen(TestNode node, Kind... kinds) {
    Map<Kind, Seen> seen = new EnumMap<>(Kind.class);
    for (Kind kind : kinds) seen.put(kind, seen(node, id(kind)));
    return seen;
  }

  /** How the payment stands when it does not go on by itself any more. */
  Seen seen(TestNode node, String id) {
    Await.until(
        id + " has ended or stands still",
        LIMIT,
        () -> {
          Status status = node.describe(id).status();
          return status.isFinal() || status == Status.INCIDENT;
        });
    String outcome =
        node.describe(id).status() == Status.INCIDENT
            ? INCIDENT
            : node.result(id).replaceAll("[0-9\"]", "").trim();
    return new Seen(outcome, receiver.calls(id));
  }

  static final String PAID = "paid receipt";
  static final String NO_RESULT = "failed " + Failure.RESULT_UNAVAILABLE;

  static void assertAfterTheCall(Map<Kind, Seen> seen) {
    assertThat(seen)
        .containsEntry(Kind.PLAIN, new Seen(PAID, 2))
        .as("the receiver recognises the second call")
        .containsEntry(Kind.IDEMPOTENT, new Seen(PAID, 2))
        .containsEntry(Kind.TRUTHFUL, new Seen(PAID, 1))
        .containsEntry(Kind.FORGETFUL, new Seen(NO_RESULT, 1))
        .containsEntry(Kind.BARE, new Seen(INCIDENT, 1))
        .containsEntry(Kind.UNSURE, new Seen(INCIDENT, 1))
        .containsEntry(Kind.BROKEN, new Seen(INCIDENT, 1));
  }

  static boolean isCompleted(TestNode node) {
    return node.storage.activities().of(WorkflowId.of(id(Kind.BARE)), 1).stream()
        .anyMatch(record -> record.result().isPresent());
  }
}
