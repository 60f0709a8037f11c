package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.entry.JournalEntryCodec;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.ChildCall;
import dev.tenure.workflow.ChildFailedException;
import dev.tenure.workflow.ChildHandle;
import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.WorkflowFailure;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Two nodes on which every owner dies after each of its commits, before it could say so: whatever
 * they tell each other is told again.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AcrossNodesFaultsTest {
  private static final List<AmnesicStorage> STORAGES = new CopyOnWriteArrayList<>();
  private static TwoNodes cluster;
  private static TestNode here;
  private static TestNode there;

  private static boolean movesOn(Commit commit) {
    return !JournalEntryCodec.decode(commit.payload()).events().stream()
        .allMatch(Event.Redelivered.class::isInstance);
  }

  @BeforeAll
  static void start() {
    cluster =
        new TwoNodes(
            () ->
                new TestNode.Plan()
                    .with(Coded.class, Coded::new)
                    .settings(given -> given.withRecoveryPause(Duration.ofMillis(25)))
                    .storage(
                        inner -> {
                          AmnesicStorage storage =
                              new AmnesicStorage(inner, AcrossNodesFaultsTest::movesOn);
                          STORAGES.add(storage);
                          return storage;
                        }));
    here = cluster.one;
    there = cluster.two;
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  @Order(1)
  void ofStartsAtOnceFromTwoNodesOneWins() {
    List<CompletableFuture<StartResult>> same = new ArrayList<>();
    List<CompletableFuture<StartResult>> different = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      for (String id : List.of("same-" + i, "different-" + i))
        Coded.put(id, ctx -> ctx.step("one", () -> 1));
      for (TestNode node : List.of(here, there)) {
        StartRequest one = StartRequest.of("same-" + i, "coded", TestNode.json(null));
        same.add(node.workflows().start(one.request("key-" + i)).toCompletableFuture());
        StartRequest other = StartRequest.of("different-" + i, "coded", TestNode.json(null));
        different.add(node.workflows().start(other).toCompletableFuture());
      }
    }
    Set<String> runs = new HashSet<>();
    for (CompletableFuture<StartResult> result : same) {
      assertThat(TestNode.await(result)).isInstanceOf(StartResult.Started.class);
      runs.add(TestNode.await(result).runId());
    }
    assertThat(runs).hasSize(20);
    for (int i = 0; i < different.size(); i += 2) {
      List<StartResult> both =
          List.of(TestNode.await(different.get(i)), TestNode.await(different.get(i + 1)));
      assertThat(both.stream().filter(StartResult.Started.class::isInstance)).hasSize(1);
      assertThat(both.get(0).runId()).isEqualTo(both.get(1).runId());
    }
    for (int i = 0; i < 20; i++) {
      assertThat(here.result("different-" + i)).isEqualTo("1");
      assertThat(
              Journal.whole(here.storage, "same-" + i).stream()
                  .filter(Event.Started.class::isInstance))
          .hasSize(1);
    }
  }

  @Test
  @Order(2)
  void whatIsToldTwiceBetweenWorkflowsHappensOnce() {
    String child = cluster.idOn(there, "child");
    String failing = cluster.idOn(there, "failing");
    String other = cluster.idOn(there, "other");
    String unwanted = cluster.idOn(there, "unwanted");
    String parent = cluster.idOn(here, "parent");
    Coded.put(child, ctx -> ctx.awaitSignal("go", String.class) + ctx.step("one", () -> 1));
    Coded.put(
        failing,
        ctx -> {
          throw WorkflowFailure.permanent("luck", "no luck");
        });
    // Gathers whatever comes in a while, so that what came twice would be seen.
    Coded.put(
        other,
        ctx -> {
          String all = ctx.awaitSignal("go", String.class);
          while (true) {
            var more = ctx.awaitSignal("go", String.class, Duration.ofSeconds(1));
            if (more.isEmpty()) return all;
            all += more.get();
          }
        });
    Coded.put(unwanted, ctx -> ctx.awaitSignal("go", String.class));
    there.begin(other, "coded", null);
    there.begin(unwanted, "coded", null);
    Coded.put(
        parent,
        ctx -> {
          ChildHandle<String> handle =
              ctx.childAsync(ChildCall.to("coded", String.class).id(child));
          handle.awaitStarted();
          handle.signal("go", "gone ");
          ctx.signalWorkflow(WorkflowId.of(other), "go", "a");
          ctx.signalWorkflow(WorkflowId.of(other), "go", "b");
          ctx.cancelWorkflow(WorkflowId.of(unwanted), "away");
          try {
            ctx.child("coded", failing, null, String.class);
            return "it did not fail";
          } catch (ChildFailedException e) {
            return handle.get();
          }
        });
    long before = STORAGES.stream().mapToLong(AmnesicStorage::times).sum();
    assertThat(here.run(parent, "coded", null)).isEqualTo("\"gone 1\"");
    assertThat(here.result(other)).isEqualTo("\"ab\"");
    assertThat(here.end(unwanted).outcome()).isEqualTo(new Outcome.Cancelled("away"));
    for (String id : List.of(parent, child, failing, other, unwanted)) {
      Await.until(
          id + " is closed",
          TestNode.SOON,
          () -> here.events(id).getLast() instanceof Event.Closed);
      List<Event> events = Journal.whole(here.storage, id);
      assertThat(events.stream().filter(Event.Started.class::isInstance)).hasSize(1);
      assertThat(events.stream().filter(Event.Ended.class::isInstance)).hasSize(1);
    }
    assertThat(
            Journal.whole(here.storage, parent).stream()
                .filter(Event.ChildStarted.class::isInstance))
        // One of the children may come out before it is known to exist.
        .hasSizeBetween(1, 2);
    assertThat(STORAGES.stream().mapToLong(AmnesicStorage::times).sum() - before)
        .as("owners that died")
        .isGreaterThan(15);
  }

  @Test
  @Order(3)
  void aChildWhoseParentIsGoneEndsAllTheSame() {
    String orphan = cluster.idOn(there, "orphan");
    String parent = cluster.idOn(here, "gone");
    Coded.put(orphan, ctx -> ctx.awaitSignal("go", String.class));
    Coded.put(
        parent,
        ctx -> {
          ctx.childAsync(
                  ChildCall.to("coded", String.class)
                      .id(orphan)
                      .onParentClose(ParentClosePolicy.ABANDON))
              .awaitStarted();
          return "left";
        });
    assertThat(here.run(parent, "coded", null)).isEqualTo("\"left\"");
    Await.until(
        "the parent has left the memory",
        TestNode.SOON,
        () -> here.events(parent).getLast() instanceof Event.Closed);
    // As after a purge: there never was such a workflow, as far as the store knows.
    Await.pass(Duration.ofSeconds(2));
    cluster.database.execute("DELETE FROM workflow_closed WHERE id = '" + parent + "'");
    cluster.database.execute(
        "DELETE FROM event_journal WHERE persistence_id = '"
            + Host.persistenceId(WorkflowId.of(parent))
            + "'");
    Coded.signal(here, orphan, "go", "alone");
    assertThat(here.result(orphan)).isEqualTo("\"alone\"");
    Await.until(
        "nothing of it is open",
        TestNode.SOON,
        () -> here.events(orphan).getLast() instanceof Event.Closed);
  }

  @Test
  @Order(4)
  void anUpdateWhoseOwnerLeavesIsAnsweredByTheNext() {
    String id = cluster.idOn(there, "moves");
    CountDownLatch never = new CountDownLatch(1);
    AtomicInteger runs = new AtomicInteger();
    Coded.put(
        id,
        ctx -> {
          ctx.onUpdate(
              "add",
              Integer.class,
              number ->
                  ctx.step(
                      "add",
                      () -> {
                        // The amnesia after the admission makes it two runs on the first node.
                        if (TwoNodes.owns(there, id)) {
                          runs.incrementAndGet();
                          never.await();
                        }
                        return number + 1;
                      }));
          return ctx.awaitSignal("go", String.class);
        });
    here.begin(id, "coded", null);
    CompletionStage<Outcome> update =
        here.workflows().update(WorkflowId.of(id), "u", "add", TestNode.json(1));
    Await.until("it is at work", TestNode.SOON, () -> runs.get() > 0);
    CompletionStage<?> left = there.runtime.stop();
    assertThat(TestNode.await(update)).isEqualTo(new Outcome.Succeeded(TestNode.json(2)));
    Await.until(
        "the node has left",
        TestNode.SOON.multipliedBy(2),
        () -> left.toCompletableFuture().isDone());
    assertThat(TwoNodes.owns(here, id)).isTrue();
    Coded.signal(here, id, "go", "on");
    assertThat(here.result(id)).isEqualTo("\"on\"");
    assertThat(
            Journal.whole(here.storage, id).stream().filter(Event.UpdateAnswered.class::isInstance))
        .hasSize(1);
  }
}
