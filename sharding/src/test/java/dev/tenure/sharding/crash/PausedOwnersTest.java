package dev.tenure.sharding.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.crash.Payments.Kind;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.process.NodeProcess;
import dev.tenure.sharding.workflow.TestNode;
import dev.tenure.workflow.WorkflowId;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A node that is paused for longer than its leases last, while another one takes over, and that
 * goes on later: what it called before counts, and it calls nothing any more.
 */
@Tag("processes")
class PausedOwnersTest extends CrashFixture {
  @Test
  void aPausedOwnerIsNotWaitedForAndItsEffectIsKept() {
    try (NodeProcess node = launch("activity.after-call", "1", "hold")) {
      node.ask("start " + Kind.BARE + " " + id(Kind.BARE));
      Await.until("it has paid", LIMIT, () -> node.query("held") == 1);
      node.signal("STOP");
      try (TestNode next = takeOver()) {
        assertThat(seen(next, id(Kind.BARE))).isEqualTo(new Seen(INCIDENT, 1));
        node.signal("CONT");
        node.query("go");
        Await.until("its effect is on record", LIMIT, () -> isCompleted(next));
        // The record proves it now: nothing is called, and no verifier is needed.
        lookAgain(next);
        assertThat(seen(next, id(Kind.BARE))).isEqualTo(new Seen(PAID, 1));
      }
    }
  }

  private static void lookAgain(TestNode node) {
    TestNode.await(node.workflows().resolveIncident(WorkflowId.of(id(Kind.BARE)), "look again"));
  }

  /** It goes on, and comes to the end of what it was doing, or ends itself without its leases. */
  private static void goesOn(NodeProcess node) {
    node.signal("CONT");
    node.ask("go");
    Await.until("the attempts of the paused node are over", LIMIT, () -> isQuiet(node));
  }

  private static boolean isQuiet(NodeProcess node) {
    try {
      return !node.isAlive() || node.query("running") == 0;
    } catch (CompletionException ended) {
      return !node.isAlive();
    }
  }

  @Test
  void whoIsPausedAfterTheCallNeverPaysTwiceWithAKey() {
    try (NodeProcess node = launch("activity.after-call", "1", "hold")) {
      for (Kind kind : Kind.values()) node.ask("start " + kind + " " + id(kind));
      Await.until("all have paid", LIMIT, () -> node.query("held") == Kind.values().length);
      node.signal("STOP");
      try (TestNode next = takeOver()) {
        Map<Kind, Seen> seen = seen(next, Kind.values());
        assertAfterTheCall(seen);
        goesOn(node);
        assertThat(seen(next, Kind.values())).as("it changes nothing any more").isEqualTo(seen);
      }
    }
  }

  /** It was told, or is told, that nothing was paid: meanwhile the other node has paid. */
  @ParameterizedTest
  @ValueSource(strings = {"activity.before-verify", "activity.after-verify"})
  void whoIsPausedBesideItsVerifierCallsNothingAfterwards(String place) {
    try (NodeProcess first = launch("activity.before-call", "1", "hold")) {
      first.ask("start " + Kind.TRUTHFUL + " " + id(Kind.TRUTHFUL));
      Await.until("it is about to pay", LIMIT, () -> first.query("held") == 1);
      first.kill();
    }
    try (NodeProcess second = launch(place, "1", "hold")) {
      Await.until("the next one verifies", LIMIT, () -> second.query("held") == 1);
      second.signal("STOP");
      try (TestNode third = takeOver()) {
        assertThat(seen(third, id(Kind.TRUTHFUL))).isEqualTo(new Seen(PAID, 1));
        goesOn(second);
        assertThat(seen(third, id(Kind.TRUTHFUL))).isEqualTo(new Seen(PAID, 1));
      }
    }
  }

  /** It has paid, goes on after another node took over, and ends at the place. */
  private void endsAt(String place, Seen afterAnotherLook) {
    try (NodeProcess node = launch("activity.after-call", "1", "hold", place, "1", "halt")) {
      node.ask("start " + Kind.BARE + " " + id(Kind.BARE));
      Await.until("it has paid", LIMIT, () -> node.query("held") == 1);
      node.signal("STOP");
      try (TestNode next = takeOver()) {
        assertThat(seen(next, id(Kind.BARE))).isEqualTo(new Seen(INCIDENT, 1));
        node.signal("CONT");
        node.ask("go");
        node.awaitExit(LIMIT);
        assertThat(isCompleted(next)).isEqualTo(afterAnotherLook.outcome().equals(PAID));
        lookAgain(next);
        assertThat(seen(next, id(Kind.BARE))).isEqualTo(afterAnotherLook);
      }
    }
  }

  @Test
  void aLateEffectThatWasNotStoredIsNotGuessed() {
    endsAt("effect.before", new Seen(INCIDENT, 1));
  }

  @Test
  void aLateEffectThatIsStoredOutlivesItsNode() {
    endsAt("effect.stands", new Seen(PAID, 1));
  }
}
