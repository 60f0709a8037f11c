package dev.tenure.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.definition.Definition;
import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.sharding.workflow.StartRequest;
import dev.tenure.sharding.workflow.StartResult;
import dev.tenure.sharding.workflow.Workflows;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.audit.HistoryAudit;
import dev.tenure.workflow.kernel.Accounting;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.Outcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A graph in PostgreSQL, run by the owners of real nodes that follow each other. */
class GraphOnNodeTest {
  /**
   * A round asks with a hook that takes two answers. Each answer starts two activities, and the
   * first of all also enters the round again. The timer is open until the job is over.
   */
  private static final String DOCUMENT =
      """
      threshold 1
      limit - timer 2
      round - pivot 0
      ask round hook 2
      a ask activity 0
      b ask activity 0
      again ask cycle:round 1
      """;

  private static final String[] TRACE = {
    "round-1.ask+", "round-1.ask-1.a+", "round-1.ask-1.b+",
    "round-1.ask+", "round-1.ask-2.a+", "round-1.ask-2.b+",
    "round-2.ask+", "round-2.ask-1.a+", "round-2.ask-1.b+",
    "round-2.ask+", "round-2.ask-2.a+", "round-2.ask-2.b+"
  };

  @TempDir static Path folder;
  private static LocalPostgres postgres;
  private static Graphs graphs;
  private static GraphNode node;

  @BeforeAll
  static void open() {
    postgres = LocalPostgres.start(folder.resolve("postgres"));
    graphs = new Graphs();
    node = new GraphNode(postgres, graphs);
  }

  @AfterAll
  static void close() {
    node.close();
    postgres.close();
  }

  private static void anotherNode() {
    node.close();
    node = new GraphNode(postgres, graphs);
  }

  private static Definition definition(String name) {
    return new Definition(
        Graphs.KIND, new WorkflowType(name, 1), DOCUMENT.getBytes(StandardCharsets.UTF_8));
  }

  private static StartRequest request(String name) {
    return StartRequest.of(name, name, Payload.NONE)
        .program(Graphs.KIND, new Accounting.OfGraph(1));
  }

  private static WorkflowId start(StartRequest request, String name) {
    assertThat(GraphNode.await(node.workflows().start(request)))
        .isInstanceOf(StartResult.Started.class);
    return WorkflowId.of(name);
  }

  private static void signal(WorkflowId id) {
    GraphNode.await(
        node.workflows().signal(id, Machines.SIGNAL, Machines.text("go"), Optional.empty()));
  }

  private static TreeSet<String> open(WorkflowState state) {
    TreeSet<String> open = new TreeSet<>();
    for (Operation one : state.openOperations())
      if (one.isObligation() && !one.id().isEngines()) open.add(one.id().name());
    return open;
  }

  /** Waits until these are open, and no other: the semaphore counts them. */
  private static void untilOpen(WorkflowId id, String... keys) {
    TreeSet<String> wanted = new TreeSet<>(List.of(keys));
    GraphNode.until(
        id + " has open " + wanted + " (" + open(node.state(id)) + ")",
        () -> open(node.state(id)).equals(wanted));
    assertThat(node.state(id).semaphore().open()).isEqualTo(keys.length);
  }

  private static void untilIs(WorkflowId id, Status status) {
    GraphNode.until(
        id + " is " + status,
        () -> GraphNode.await(node.workflows().describe(id)).status() == status);
  }

  private static boolean isBlocked(WorkflowId id) {
    return GraphNode.await(node.workflows().describe(id)).blockReason().isPresent();
  }

  private static long answersOf(WorkflowId id, String key) {
    return node.state(id).operation(GraphProgram.id(key)).orElseThrow().ledger().leg2Entries();
  }

  /** Each commit is compared with what the document says of it. */
  private static void compare(WorkflowId id) {
    HistoryAudit audit = new HistoryAudit(id.value());
    GraphModel model = new GraphModel(id.value(), Graph.read(definition(id.value())), false);
    List<Event> all = new ArrayList<>();
    for (List<Event> commit : node.commits(id)) {
      audit.commit(commit);
      all.addAll(commit);
      model.commit(commit, Checker.fold(all));
    }
  }

  /** How many activities were open after each step 2, from the trigger on. */
  private static List<Long> counted(WorkflowId id) {
    List<Long> counted = new ArrayList<>();
    for (Event event : node.events(id)) {
      if (event instanceof Event.Published e) counted.add(e.inception().semaphore().open());
      if (event instanceof Event.Spawned e) counted.add(e.digits().semaphore().open());
    }
    return counted;
  }

  private static String result(WorkflowId id) {
    Workflows.Ended ended =
        GraphNode.await(node.workflows().result(id, Duration.ofSeconds(30))).orElseThrow();
    assertThat(ended.outcome()).isInstanceOf(Outcome.Succeeded.class);
    return (String)
        PayloadCodec.standard()
            .read(((Outcome.Succeeded) ended.outcome()).value(), String.class, "a result");
  }

  private static List<Class<?>> kinds(List<Event> events) {
    return events.stream().<Class<?>>map(Event::getClass).toList();
  }

  @Test
  void itIsCountedAsItsDocumentSaysWhicheverNodeRunsIt() {
    node.storage.definitions().keep(definition("moves"));
    WorkflowId id = start(request("moves"), "moves");
    untilOpen(id, "limit", "round-1.ask");

    signal(id);
    untilOpen(id, "limit", "round-1.ask", "round-2.ask");
    assertThat(answersOf(id, "round-1.ask")).isEqualTo(1);
    assertThat(answersOf(id, "round-2.ask")).isZero();
    compare(id);

    // The hook that stayed open answers to the next node.
    anotherNode();
    signal(id);
    untilOpen(id, "limit", "round-2.ask");
    signal(id);
    anotherNode();
    untilOpen(id, "limit", "round-2.ask");
    assertThat(answersOf(id, "round-2.ask")).isEqualTo(1);
    signal(id);

    assertThat(result(id).split(" ")).containsExactlyInAnyOrder(TRACE);
    assertThat(counted(id))
        .containsExactly(
            // The trigger's two children; the round passes on to its only child.
            2L,
            2L,
            // The hook stays open: three more. The round is entered again; both activities end.
            5L,
            5L,
            4L,
            3L,
            // The hook's last answer: two more, as it is over. The cycle only passes.
            5L,
            4L,
            3L,
            2L,
            // The same in the second round, down to the threshold.
            5L,
            4L,
            3L,
            2L,
            4L,
            3L,
            2L,
            1L);
    assertThat(kinds(node.commits(id).getLast()))
        .endsWith(
            Event.Spawned.class, Event.Abandoned.class, Event.Ended.class, Event.Closed.class);
    assertThat(node.events(id)).hasAtLeastOneElementOfType(Event.Reentered.class);
    compare(id);
  }

  @Test
  void blockedAtItsStartPausedUnblockedAndResumedItGoesOn() {
    WorkflowId pinned = start(request("pinned").version(1), "pinned");
    // Its owner decides the version when there is one.
    WorkflowId anyVersion = start(request("any-version"), "any-version");
    List<WorkflowId> both = List.of(pinned, anyVersion);
    for (WorkflowId id : both) {
      untilIs(id, Status.BLOCKED);
      assertThat(GraphNode.await(node.workflows().pause(id, "not yet"))).isTrue();
    }
    anotherNode();
    for (WorkflowId id : both) {
      node.storage.definitions().keep(definition(id.value()));
      node.wake(id);
      GraphNode.until(id + " is not blocked", () -> !isBlocked(id));
      untilIs(id, Status.PAUSED);
      // The trigger counts until it has asked for its children.
      assertThat(node.state(id).semaphore().open()).isEqualTo(1);
      assertThat(node.events(id)).doesNotHaveAnyElementsOfTypes(Event.Published.class);
    }
    for (WorkflowId id : both) {
      assertThat(GraphNode.await(node.workflows().resume(id))).isTrue();
      untilOpen(id, "limit", "round-1.ask");
      for (int i = 0; i < 4; i++) signal(id);
      assertThat(result(id).split(" ")).containsExactlyInAnyOrder(TRACE);
      assertThat(counted(id).getLast()).isEqualTo(1);
      compare(id);
    }
    assertThat(kinds(node.events(pinned)))
        .containsSubsequence(
            Event.Blocked.class,
            Event.Paused.class,
            Event.Unblocked.class,
            Event.Resumed.class,
            Event.Published.class);
    assertThat(kinds(node.events(anyVersion)))
        .containsSubsequence(
            Event.Blocked.class,
            Event.Paused.class,
            Event.Repinned.class,
            Event.Resumed.class,
            Event.Published.class);
  }
}
