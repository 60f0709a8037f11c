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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A process that runs activities ends at each boundary of their protocol, and another one takes
 * over. The receiver of the payments outlives both and counts: no keyed payment is made twice, and
 * none is shown as made that no record or verifier proves.
 */
class CrashWindowsTest {
  private static final Duration LIMIT = Duration.ofSeconds(90);

  private TestDatabase database;
  private Receiver receiver;

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
  private record Seen(String outcome, long calls) {}

  private static final String INCIDENT = "incident";

  private NodeProcess launch(String place, int fromHit, String mode) {
    return NodeProcess.start(
            "crashing-" + place,
            CrashingNode.class,
            List.of(
                database.url(),
                Integer.toString(receiver.port()),
                place,
                Integer.toString(fromHit),
                mode))
        .awaitUp(LIMIT);
  }

  private TestNode takeOver() {
    Payments payments = new Payments(receiver.port());
    TestNode.Plan plan = new TestNode.Plan();
    Payments.types().forEach(plan::type);
    payments.activities().forEach(plan::activity);
    return TestNode.start(database, plan);
  }

  private static String id(Kind kind) {
    return kind.activity();
  }

  /** All kinds at once stand at the place when the process is killed. */
  private Map<Kind, Seen> killedAt(String place) {
    try (NodeProcess node = launch(place, 1, "hold")) {
      for (Kind kind : Kind.values()) node.ask("start " + kind + " " + id(kind));
      Await.until("all stand at " + place, LIMIT, () -> node.query("held") == Kind.values().length);
      node.kill();
    }
    try (TestNode next = takeOver()) {
      Map<Kind, Seen> seen = new EnumMap<>(Kind.class);
      for (Kind kind : Kind.values()) seen.put(kind, seen(next, id(kind)));
      return seen;
    }
  }

  /** The process ends at the hit of a place on the owner's own thread. */
  private Seen endedAt(String place, int hit, Kind kind) {
    try (NodeProcess node = launch(place, hit, "halt")) {
      node.ask("start " + kind + " " + id(kind));
      node.awaitExit(LIMIT);
    }
    try (TestNode next = takeOver()) {
      return seen(next, id(kind));
    }
  }

  private Seen seen(TestNode node, String id) {
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

  private static final String PAID = "paid receipt";
  private static final String NO_RESULT = "failed " + Failure.RESULT_UNAVAILABLE;

  @Test
  void whoDiesBeforeTheCallPaysOnceOrAsksAPerson() {
    Map<Kind, Seen> seen = killedAt("activity.before-call");
    assertThat(seen)
        .containsEntry(Kind.PLAIN, new Seen(PAID, 1))
        .containsEntry(Kind.IDEMPOTENT, new Seen(PAID, 1))
        .containsEntry(Kind.TRUTHFUL, new Seen(PAID, 1))
        .containsEntry(Kind.FORGETFUL, new Seen(PAID, 1))
        .containsEntry(Kind.BARE, new Seen(INCIDENT, 0))
        .containsEntry(Kind.UNSURE, new Seen(INCIDENT, 0))
        .containsEntry(Kind.BROKEN, new Seen(INCIDENT, 0));
  }

  @Test
  void whoDiesAfterTheCallNeverPaysTwiceWithAKey() {
    Map<Kind, Seen> seen = killedAt("activity.after-call");
    assertAfterTheCall(seen);
  }

  @Test
  void whoDiesBeforeTheOwnerHearsNeverPaysTwiceWithAKey() {
    assertAfterTheCall(killedAt("activity.before-report"));
  }

  private static void assertAfterTheCall(Map<Kind, Seen> seen) {
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

  @Test
  void aClaimThatWasNotCommittedIsNone() {
    try (NodeProcess node = launch("commit.before", 1, "halt")) {
      node.ask("start " + Kind.BARE + " " + id(Kind.BARE));
      node.awaitExit(LIMIT);
    }
    try (TestNode next = takeOver()) {
      assertThat(next.run(id(Kind.BARE), "payment", Kind.BARE.name())).contains(PAID);
      assertThat(receiver.calls(id(Kind.BARE))).isEqualTo(1);
    }
  }

  @Test
  void aClaimThatStandsIsProvenBeforeItIsUsed() {
    assertThat(endedAt("commit.stands", 1, Kind.BARE)).isEqualTo(new Seen(INCIDENT, 0));
  }

  @Test
  void theVerifierLetsAClaimBeUsedThatWasNot() {
    assertThat(endedAt("commit.stands", 1, Kind.TRUTHFUL)).isEqualTo(new Seen(PAID, 1));
  }

  @Test
  void anOutcomeThatWasNotCommittedIsAskedFor() {
    assertThat(endedAt("commit.before", 2, Kind.TRUTHFUL)).isEqualTo(new Seen(PAID, 1));
  }

  @Test
  void anOutcomeThatWasNotCommittedIsNotGuessed() {
    assertThat(endedAt("commit.before", 2, Kind.BARE)).isEqualTo(new Seen(INCIDENT, 1));
  }

  @Test
  void anOutcomeThatStandsIsNotAskedForAgain() {
    assertThat(endedAt("commit.stands", 2, Kind.BARE)).isEqualTo(new Seen(PAID, 1));
  }

  @Test
  void aPausedOwnerIsNotWaitedForAndItsEffectIsKept() {
    try (NodeProcess node = launch("activity.after-call", 1, "hold")) {
      node.ask("start " + Kind.BARE + " " + id(Kind.BARE));
      Await.until("it has paid", LIMIT, () -> node.query("held") == 1);
      node.signal("STOP");
      try (TestNode next = takeOver()) {
        assertThat(seen(next, id(Kind.BARE))).isEqualTo(new Seen(INCIDENT, 1));
        node.signal("CONT");
        node.query("go");
        Await.until("its effect is on record", LIMIT, () -> isCompleted(next));
        // The record proves it now: nothing is called, and no verifier is needed.
        TestNode.await(
            next.workflows().resolveIncident(WorkflowId.of(id(Kind.BARE)), "look again"));
        assertThat(seen(next, id(Kind.BARE))).isEqualTo(new Seen(PAID, 1));
      }
    }
  }

  private static boolean isCompleted(TestNode node) {
    return node.storage.activities().of(WorkflowId.of(id(Kind.BARE)), 1).stream()
        .anyMatch(record -> record.result().isPresent());
  }
}
