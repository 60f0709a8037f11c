package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.process.NodeProcess;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.operation.Outcome;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Processes that run workflows are killed, or leave. One node is in this process, and the clients'
 * way in.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("processes")
class NodeDeathTest {
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final Duration DONE_LIMIT = Duration.ofSeconds(90);
  private static final int WORKFLOWS = 1_000;
  private static final int FAMILIES = 60;
  private static final String TEN = "\"0123456789\"";

  private static TestDatabase database;
  private static TestNode node;
  private static NodeProcess first;
  private static NodeProcess second;

  @BeforeAll
  static void start() {
    database = TestDatabase.migrated();
    TestNode.Plan plan = new TestNode.Plan();
    plan.types.addAll(LoadedNode.types());
    node = TestNode.start(database, plan);
    first = launch("first", "doomed");
    second = launch("second");
    awaitMembers(3);
  }

  @AfterAll
  static void stop() {
    first.close();
    second.close();
    node.stop();
    database.close();
  }

  private static NodeProcess launch(String name, String... more) {
    List<String> arguments = new ArrayList<>(List.of(database.url()));
    arguments.addAll(List.of(more));
    return NodeProcess.start("loaded-" + name, LoadedNode.class, arguments).awaitUp(START_LIMIT);
  }

  /** Kills it while steps of its are certainly under way. */
  private static void killAtWork(NodeProcess process) {
    Await.until("it is at work", DONE_LIMIT, () -> process.ask("held").join() > 0);
    process.kill();
  }

  private static void awaitMembers(int count) {
    Await.until(count + " members", START_LIMIT, () -> TwoNodes.members(node) == count);
  }

  private static long number(String sql) {
    try (Connection connection = database.owner();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private static CompletableFuture<?> begin(String id, String type) {
    return node.workflows()
        .start(StartRequest.of(id, type, TestNode.json(null)))
        .toCompletableFuture();
  }

  private static void awaitClosed(String prefix, int count) {
    Await.until(
        "all of " + prefix + " are closed",
        DONE_LIMIT,
        () ->
            number(
                    "SELECT count(*) FROM workflow_all WHERE closed_at IS NOT NULL AND id LIKE"
                        + " '"
                        + prefix
                        + "%'")
                == count);
  }

  private static long committed() {
    return number("SELECT count(*) FROM event_journal");
  }

  /** Returns how often something was handed out again. */
  private static long checkTenSteps(String prefix) {
    long again = 0;
    for (int i = 0; i < WORKFLOWS; i++) {
      List<Event> events = Journal.whole(node.storage, prefix + i);
      assertThat(events.stream().filter(Event.Completed.class::isInstance))
          .hasSize(LoadedNode.STEPS);
      assertThat(outcome(events)).isEqualTo(TEN);
      again += events.stream().filter(Event.Redelivered.class::isInstance).count();
    }
    return again;
  }

  private static String outcome(List<Event> events) {
    for (Event event : events)
      if (event instanceof Event.Ended(var at, Outcome.Succeeded(var value), var digits))
        return TestNode.text(value);
    throw new AssertionError("it did not complete: " + events.getLast());
  }

  @Test
  @Order(1)
  void aNodeKilledInTheMiddleLosesAndDoublesNothing() {
    List<CompletableFuture<?>> starts = new ArrayList<>();
    for (int i = 0; i < WORKFLOWS; i++) starts.add(begin("steps-" + i, "ten-steps"));
    for (int i = 0; i < FAMILIES; i++) starts.add(begin("family-" + i, "family"));
    Await.until("some are under way", DONE_LIMIT, () -> committed() > 3 * WORKFLOWS);
    killAtWork(first);
    long before = committed();
    TestNode.await(CompletableFuture.allOf(starts.toArray(CompletableFuture[]::new)));
    awaitClosed("steps-", WORKFLOWS);
    // Each with two children, whose ids begin with their parent's.
    awaitClosed("family-", 3 * FAMILIES);

    long again = checkTenSteps("steps-");
    System.out.println(
        "killed after %d of %d commits; %d owners handed something out again"
            .formatted(before, committed(), again));
    assertThat(again).as("the node had work when it died").isPositive();
    for (int i = 0; i < FAMILIES; i++)
      assertThat(outcome(Journal.whole(node.storage, "family-" + i))).isEqualTo("\"go0123456789\"");
  }

  @Test
  @Order(2)
  void aNodeThatLeavesHandsOverWhatItRuns() {
    first = launch("first");
    awaitMembers(3);
    List<CompletableFuture<?>> starts = new ArrayList<>();
    for (int i = 0; i < WORKFLOWS; i++) starts.add(begin("leave-" + i, "ten-steps"));
    for (int i = 0; i < 40; i++) TestNode.await(begin("asked-" + i, "waits"));
    second.ask("stop");
    // Clients go on as if nothing were: each request is answered, once, with the truth.
    int round = 0;
    for (; second.isAlive() || round < 3; round++) {
      List<CompletableFuture<Outcome>> answers = new ArrayList<>();
      for (int i = 0; i < 40; i++)
        answers.add(
            node.workflows()
                .update(WorkflowId.of("asked-" + i), "u" + round, "add", TestNode.json(round))
                .toCompletableFuture());
      for (CompletableFuture<Outcome> answer : answers)
        assertThat(TestNode.await(answer))
            .isEqualTo(new Outcome.Succeeded(TestNode.json(round + 1)));
    }
    System.out.println(round + " rounds of updates while a node left");
    for (int i = 0; i < 40; i++)
      TestNode.await(
          node.workflows()
              .signal(WorkflowId.of("asked-" + i), "go", TestNode.json("on"), Optional.empty()));
    TestNode.await(CompletableFuture.allOf(starts.toArray(CompletableFuture[]::new)));
    awaitClosed("leave-", WORKFLOWS);
    awaitClosed("asked-", 40);
    checkTenSteps("leave-");
    for (int i = 0; i < 40; i++) {
      List<Event> events = Journal.whole(node.storage, "asked-" + i);
      assertThat(events.stream().filter(Event.UpdateAnswered.class::isInstance)).hasSize(round);
    }
  }

  @Test
  @Order(3)
  void whenAllDieWhoComesNextGoesOn() {
    node.stop();
    first.kill();
    NodeProcess alone = launch("alone", "doomed");
    try (alone) {
      assertThat(alone.ask("start alone- " + WORKFLOWS).join()).isEqualTo(WORKFLOWS);
      killAtWork(alone);
      assertThat(number("SELECT count(*) FROM workflow_all WHERE id LIKE 'alone-%'"))
          .isEqualTo(WORKFLOWS);
      assertThat(
              number(
                  "SELECT count(*) FROM workflow_all WHERE closed_at IS NULL AND id LIKE"
                      + " 'alone-%'"))
          .as("it died in the middle")
          .isPositive();
    }
    TestNode.Plan plan = new TestNode.Plan();
    plan.types.addAll(LoadedNode.types());
    node = TestNode.start(database, plan);
    awaitClosed("alone-", WORKFLOWS);
    assertThat(checkTenSteps("alone-")).isPositive();
  }
}
