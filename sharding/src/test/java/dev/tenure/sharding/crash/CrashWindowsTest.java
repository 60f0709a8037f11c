package dev.tenure.sharding.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.crash.Payments.Kind;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.process.NodeProcess;
import dev.tenure.sharding.workflow.TestNode;
import dev.tenure.workflow.WorkflowId;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A process that runs activities ends at each boundary of their protocol, and another one takes
 * over. The receiver of the payments outlives both and counts: no keyed payment is made twice, and
 * none is shown as made that no record or verifier proves.
 */
@Tag("processes")
class CrashWindowsTest extends CrashFixture {
  /** All kinds at once stand at the place when the process is killed. */
  private Map<Kind, Seen> killedAt(String place) {
    try (NodeProcess node = launch(place, "1", "hold")) {
      for (Kind kind : Kind.values()) node.ask("start " + kind + " " + id(kind));
      Await.until("all stand at " + place, LIMIT, () -> node.query("held") == Kind.values().length);
      node.kill();
    }
    try (TestNode next = takeOver()) {
      return seen(next, Kind.values());
    }
  }

  /** How a call without any proof, with a key and with a verifier is carried out. */
  private static final Kind[] WAYS = {Kind.PLAIN, Kind.IDEMPOTENT, Kind.TRUTHFUL, Kind.BARE};

  /**
   * The owners of several payments stand at the place when the process is killed, each at the same
   * of its commits.
   */
  private Map<Kind, Seen> ownersKilledAt(String place, String hits) {
    try (NodeProcess node = launch(place, hits, "hold")) {
      for (int i = 0; i < WAYS.length; i++) {
        int held = i + 1;
        node.ask("start " + WAYS[i] + " " + id(WAYS[i]));
        Await.until(WAYS[i] + " stands at " + place, LIMIT, () -> node.query("held") == held);
      }
      node.kill();
    }
    try (TestNode next = takeOver()) {
      for (Kind way : WAYS)
        if (next.storage.workflows().find(WorkflowId.of(id(way))).isEmpty())
          next.run(id(way), "payment", way.name());
      return seen(next, WAYS);
    }
  }

  @Test
  void whatWasNotClaimedIsCalledOnce() {
    assertThat(ownersKilledAt("commit.before", "1"))
        .hasSize(WAYS.length)
        .allSatisfy((way, seen) -> assertThat(seen).isEqualTo(new Seen(PAID, 1)));
  }

  @Test
  void whoDiesBehindTheClaimCallsOnceOrAsksAPerson() {
    assertThat(ownersKilledAt("commit.stands", "1"))
        .containsEntry(Kind.PLAIN, new Seen(PAID, 1))
        .containsEntry(Kind.IDEMPOTENT, new Seen(PAID, 1))
        .containsEntry(Kind.TRUTHFUL, new Seen(PAID, 1))
        .containsEntry(Kind.BARE, new Seen(INCIDENT, 0));
  }

  @Test
  void whoDiesBeforeTheOutcomeStandsNeverPaysTwiceWithAKey() {
    assertThat(ownersKilledAt("commit.before", "2/2"))
        .containsEntry(Kind.PLAIN, new Seen(PAID, 2))
        .containsEntry(Kind.IDEMPOTENT, new Seen(PAID, 2))
        .containsEntry(Kind.TRUTHFUL, new Seen(PAID, 1))
        .containsEntry(Kind.BARE, new Seen(INCIDENT, 1));
  }

  @Test
  void whoDiesBehindTheOutcomeCallsNothingAgain() {
    assertThat(ownersKilledAt("commit.stands", "2/2"))
        .hasSize(WAYS.length)
        .allSatisfy((way, seen) -> assertThat(seen).isEqualTo(new Seen(PAID, 1)));
  }

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
}
