package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.signal.AcceptedSignalResult;
import dev.tenure.persistence.signal.InboxRead;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.persistence.snapshot.StoredSnapshot;
import dev.tenure.persistence.start.StartKeys;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.retention.Janitor;
import dev.tenure.sharding.retention.RetentionSettings;
import dev.tenure.sharding.retention.WorkflowRetention;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is over goes, while workflows run; nothing else does. */
class JanitorTest {
  private static final RetentionSettings OFTEN =
      new RetentionSettings(Duration.ofMillis(100), 3, Duration.ofDays(30));

  private static TestDatabase database;
  private static TestNode node;

  @BeforeAll
  static void start() {
    database = TestDatabase.migrated();
    node = TestNode.start(database, new TestNode.Plan().with(Coded.class, Coded::new));
  }

  @AfterAll
  static void stop() {
    node.close();
    database.close();
  }

  private static SignalResult signal(String workflow, String id) {
    return TestNode.await(
        node.workflows()
            .signal(WorkflowId.of(workflow), "word", TestNode.json(id), Optional.of(id)));
  }

  private static AcceptedSignalResult accepted(String workflow, String id) {
    return ((SignalResult.Accepted) signal(workflow, id)).result();
  }

  private static void expire(String pattern) {
    database.execute(
        "UPDATE signal_response SET expires_at = now() WHERE signal_id LIKE '%s'"
            .formatted(pattern));
  }

  @Test
  void expiredAnswersGoAndTheOthersAnswerOn() {
    Coded.begin(
        node,
        "reader",
        ctx -> {
          for (int i = 0; i < 12; i++) ctx.awaitSignal("word", String.class);
          return "read";
        });
    for (int i = 0; i < 10; i++) accepted("reader", "old-" + i);
    AcceptedSignalResult live = accepted("reader", "live");
    Coded.begin(node, "sleeper", ctx -> ctx.awaitSignal("never", String.class));
    accepted("sleeper", "old-waiting");
    database.execute(
        "UPDATE signal_response SET expires_at = now() + interval '1 hour'"
            + " WHERE signal_id = 'live'");
    Await.until(
        "the reader has read",
        Duration.ofSeconds(30),
        () ->
            node.storage
                .signals()
                .pending(List.of(new InboxRead(WorkflowId.of("reader"), 0, 100)))
                .getFirst()
                .isEmpty());
    expire("old-%");

    try (Janitor janitor = new Janitor(node.storage, OFTEN, () -> true)) {
      Await.until(
          "all that is over is gone",
          Duration.ofSeconds(30),
          () -> janitor.removed().answers() >= 10);
      assertThat(janitor.removed().answers()).isEqualTo(10);
      assertThat(signal("reader", "live")).isInstanceOf(SignalResult.Duplicate.class);
      assertThat(((SignalResult.Duplicate) signal("reader", "live")).original()).isEqualTo(live);
      assertThat(accepted("reader", "old-3").position())
          .as("its time is over: another signal under the same id")
          .isGreaterThan(live.position());
      assertThat(node.result("reader")).isEqualTo("\"read\"");
      assertThat(accepted("sleeper", "old-waiting").position())
          .as("an expired answer counts no more, whether or not it was removed")
          .isEqualTo(2);
    }
  }

  @Test
  void keysAndOrdersGoWhenTheyAreOverAndOnlyTheNodeThatLeadsRemovesAnything() {
    StartKeys keys = node.storage.startKeys();
    Coded.run(node, "there", ctx -> "x");
    for (String id : new String[] {"there", "a", "b", "c", "d", "e"})
      keys.claim("key-" + id, new StartKeys.Claim(WorkflowId.of(id), "h"));
    database.execute("UPDATE start_key SET claimed_at = now() - interval '2 days'");
    node.storage.bulkOperations().propose("never", "c", "{}", 1);
    database.execute("UPDATE bulk_operation SET created_at = now() - interval '2 days'");

    AtomicBoolean leads = new AtomicBoolean();
    AtomicBoolean asked = new AtomicBoolean();
    try (Janitor janitor =
        new Janitor(
            node.storage,
            OFTEN,
            () -> {
              boolean now = leads.get();
              asked.set(true);
              return now;
            })) {
      Await.until("it was asked to", Duration.ofSeconds(30), asked::get);
      assertThat(janitor.removed().startKeys()).isZero();
      leads.set(true);
      Await.until(
          "the keys of nothing are gone",
          Duration.ofSeconds(30),
          () -> janitor.removed().startKeys() == 5 && janitor.removed().bulkOrders() == 1);
    }
    var another = new StartKeys.Claim(WorkflowId.of("z"), "other");
    assertThat(keys.claim("key-there", another).workflowId().value()).isEqualTo("there");
    assertThat(keys.claim("key-a", another)).isEqualTo(another);
  }

  @Test
  void oneRoundRemovesWhateverHasExpired() {
    int answers = 60_000;
    database.execute(
        """
        INSERT INTO signal_response
          (workflow_id, position, shard, signal_name, signal_id, accepted_at, expires_at)
        SELECT 'gone-' || n %% 100, n, 1, 'word', 'many-' || n, now(), now()
        FROM generate_series(1, %d) n\
        """
            .formatted(answers));
    AtomicBoolean once = new AtomicBoolean(true);
    RetentionSettings usual = new RetentionSettings(OFTEN.every(), 500, OFTEN.bulkOrders());
    // A round asks once, when it begins, whether the node leads.
    try (Janitor janitor = new Janitor(node.storage, usual, () -> once.getAndSet(false))) {
      Await.until("a round is over", Duration.ofMinutes(2), () -> janitor.removed().answers() > 0);
      assertThat(janitor.removed().answers()).isGreaterThanOrEqualTo(answers);
    }
  }

  @Test
  void snapshotsGoWhenTheirWorkflowsAreClosed() {
    Coded.begin(node, "open", ctx -> ctx.awaitSignal("never", String.class));
    for (int i = 0; i < 5; i++) Coded.run(node, "over-" + i, ctx -> "x");
    List<String> all = List.of("open", "over-0", "over-1", "over-2", "over-3", "over-4");
    for (String id : all)
      node.storage.snapshots().keep(new StoredSnapshot(WorkflowId.of(id), 1, new byte[1]));
    try (Janitor janitor = new Janitor(node.storage, OFTEN, () -> true)) {
      Await.until(
          "those of closed workflows are gone",
          Duration.ofSeconds(30),
          () -> janitor.removed().snapshots() == 5);
    }
    assertThat(all)
        .filteredOn(id -> node.storage.snapshots().find(WorkflowId.of(id)).isPresent())
        .containsExactly("open");
  }

  private static WorkflowRetention.Rule rule(String type, Status status, Duration keep) {
    return new WorkflowRetention.Rule(Optional.ofNullable(type), Optional.ofNullable(status), keep);
  }

  /** As if they had closed that many days ago. */
  private static void closedBefore(int days, String pattern) {
    database.execute(
        "UPDATE workflow_closed SET closed_at = closed_at - interval '%d days' WHERE id LIKE '%s'"
            .formatted(days, pattern));
  }

  @Test
  void closedWorkflowsGoByTheRuleThatSaysTheMostAboutThem() {
    for (int i = 0; i < 7; i++) Coded.run(node, "done-" + i, ctx -> "x");
    Coded.run(node, "young", ctx -> "x");
    Coded.begin(node, "broken", ctx -> ctx.awaitSignal("never", String.class));
    TestNode.await(node.workflows().terminate(WorkflowId.of("broken"), "enough"));
    Coded.begin(node, "at work", ctx -> ctx.awaitSignal("never", String.class));
    closedBefore(40, "done-%");
    closedBefore(40, "broken");
    closedBefore(20, "young");
    RetentionSettings rules =
        OFTEN.withWorkflows(
            new WorkflowRetention(
                List.of(
                    rule(null, null, Duration.ofDays(1)),
                    rule("coded", null, Duration.ofDays(30)),
                    rule("coded", Status.TERMINATED, Duration.ofDays(50)))),
            Duration.ofDays(7));
    try (Janitor janitor = new Janitor(node.storage, rules, () -> true)) {
      Await.until(
          "those whose time is over are gone",
          Duration.ofSeconds(30),
          () -> janitor.removed().workflows() == 7);
    }
    for (int i = 0; i < 7; i++)
      assertThat(node.storage.workflows().find(WorkflowId.of("done-" + i))).isEmpty();
    for (String stays : List.of("young", "broken", "at work"))
      assertThat(node.storage.workflows().find(WorkflowId.of(stays))).as(stays).isPresent();
  }

  @Test
  void anIdThatWasRemovedEarlyIsAnsweredAsClosed() {
    Coded.run(node, "early", ctx -> "x");
    closedBefore(1, "early");
    RetentionSettings rules =
        OFTEN.withWorkflows(
            new WorkflowRetention(List.of(rule(null, null, Duration.ofHours(1)))),
            Duration.ofDays(7));
    try (Janitor janitor = new Janitor(node.storage, rules, () -> true)) {
      Await.until(
          "it is gone",
          Duration.ofSeconds(30),
          () -> node.storage.workflows().find(WorkflowId.of("early")).isEmpty());
    }
    assertThat(signal("early", "late")).isInstanceOf(SignalResult.Closed.class);
    // One that no owner has in memory.
    database.execute(
        "INSERT INTO workflow_removed (id, free_at, rows_left)"
            + " VALUES ('earlier', now() + interval '1 day', false)");
    assertThatThrownBy(() -> Coded.run(node, "earlier", ctx -> "y"))
        .hasStackTraceContaining("its id is free from");
  }
}
