package dev.tenure.sharding.workflow;

import static dev.tenure.sharding.program.ListInterpreter.list;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.definition.Definition;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.message.Description;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.program.Interpreter;
import dev.tenure.sharding.program.ListInterpreter;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.audit.HistoryAudit;
import dev.tenure.workflow.kernel.Accounting;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.ProgramKind;
import dev.tenure.workflow.kernel.Status;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Programs that are documents in PostgreSQL, run by the owners of a real node. */
class StoredProgramsTest {
  private static final ActivityDefinition<Integer, Integer> ADD =
      ActivityDefinition.of("add", Integer.class, Integer.class);

  private static TestDatabase database;
  private static TestNode node;

  private static TestNode.Plan plan(Interpreter... kinds) {
    return new TestNode.Plan()
        .with(ActivityRegistration.of(ADD, (call, number) -> number + 1))
        .settings(given -> given.withInterpreters(List.of(kinds)));
  }

  @BeforeAll
  static void open() {
    database = TestDatabase.migrated();
    node = TestNode.start(database, plan(new ListInterpreter()));
  }

  @AfterAll
  static void close() {
    node.close();
    database.close();
  }

  private static StartRequest request(String id, String name, int input) {
    return StartRequest.of(id, name, TestNode.json(input))
        .program(ListInterpreter.KIND, Accounting.CODE);
  }

  private static void start(StartRequest request) {
    assertThat(TestNode.await(node.workflows().start(request)))
        .isInstanceOf(StartResult.Started.class);
  }

  private static void store(Definition definition) {
    node.storage.definitions().keep(definition);
  }

  private static Description until(String id, Status status) {
    Await.until(id + " is " + status, TestNode.SOON, () -> node.describe(id).status() == status);
    return node.describe(id);
  }

  private static void signal(String id, String name, Object value) {
    TestNode.await(
        node.workflows().signal(WorkflowId.of(id), name, TestNode.json(value), Optional.empty()));
  }

  private static void wake(String id) {
    node.node.transport().tell(WorkflowId.of(id), Message.WakeUp.WAKE_UP);
  }

  private static void audit(String id) {
    HistoryAudit audit = new HistoryAudit(id);
    TestNode.await(node.workflows().history(WorkflowId.of(id), 1, 1_000))
        .forEach(step -> audit.commit(step.events()));
  }

  @Test
  void aStoredListRunsAndItsKindIsOnRecord() {
    store(list("count", 1, "activity add", "timer PT0.01S", "activity add"));
    start(request("count", "count", 5));

    assertThat(node.result("count")).isEqualTo("7");
    Event.Started started = (Event.Started) node.events("count").getFirst();
    assertThat(started.start().kind()).isEqualTo(ListInterpreter.KIND);
    assertThat(started.start().type().version()).isEqualTo(1);
    // The first wish is in the commit of the start.
    assertThat(node.events("count").get(1)).isInstanceOf(Event.Scheduled.class);
    audit("count");
  }

  @Test
  void itNeedsNoThreadOfItsOwn() {
    store(list("threads", 1, "activity add", "activity add"));
    ListInterpreter.THREADS.clear();
    start(request("threads", "threads", 1));
    assertThat(node.result("threads")).isEqualTo("3");
    assertThat(ListInterpreter.THREADS).isNotEmpty().noneMatch(Thread::isVirtual);
  }

  @Test
  void aStartWithoutAVersionGetsTheNewestThatIsStored() {
    store(list("grows", 1, "activity add"));
    start(request("grows-1", "grows", 1));
    assertThat(node.result("grows-1")).isEqualTo("2");
    store(list("grows", 2, "activity add", "activity add"));
    start(request("grows-2", "grows", 1));
    assertThat(node.result("grows-2")).isEqualTo("3");
    start(request("grows-old", "grows", 1).version(1));
    assertThat(node.result("grows-old")).isEqualTo("2");
  }

  @Test
  void aWorkflowWaitsForADefinitionThatIsNotStoredYet() {
    start(request("early", "late", 1));
    assertThat(until("early", Status.BLOCKED).blockReason().orElseThrow())
        .contains("no definition of late")
        .contains("\"lists\"");
    store(list("late", 4, "activity add"));
    wake("early");
    assertThat(node.result("early")).isEqualTo("2");
    assertThat(node.describe("early").type().version()).isEqualTo(4);
  }

  @Test
  void aDocumentThatIsNoProgramBlocksTheWorkflowAndSaysWhy() {
    store(list("nonsense", 1, "activity add", "dance waltz"));
    start(request("nonsense", "nonsense", 1));
    assertThat(until("nonsense", Status.BLOCKED).blockReason().orElseThrow())
        .contains("line 2")
        .contains("dance waltz");
  }

  @Test
  void aDocumentOfAnotherKindIsNotRun() {
    store(new Definition(new ProgramKind("graphs"), list("other", 1).type(), new byte[0]));
    start(request("other", "other", 1).version(1));
    assertThat(until("other", Status.BLOCKED).blockReason().orElseThrow())
        .contains("stored as a program of kind \"graphs\"");
  }

  @Test
  void aBugOfTheProgramIsAnIncidentAndAnotherVersionMendsIt() {
    store(list("broken", 1, "activity add", "bug it is not written yet"));
    store(list("broken", 2, "activity add", "activity add"));
    start(request("broken", "broken", 1).version(1));
    Incident incident = until("broken", Status.INCIDENT).incident().orElseThrow();
    assertThat(incident.kind()).isEqualTo("bug");
    assertThat(incident.message()).contains("it is not written yet");
    TestNode.await(node.workflows().moveToVersion(WorkflowId.of("broken"), 2, "it is written now"));
    assertThat(node.result("broken")).isEqualTo("3");
    audit("broken");
  }

  /** As a document can that is nested deeply, or refers to itself. */
  @Test
  void aProgramThatCallsItselfWithoutEndHarmsNeitherItsOwnerNorItsNode() {
    store(list("deep", 1, "activity add", "deep down", "activity add"));
    store(list("asked-deep", 1, "signal go"));
    start(request("deep", "deep", 1));
    Incident incident = until("deep", Status.INCIDENT).incident().orElseThrow();
    assertThat(incident.kind()).isEqualTo("bug");
    assertThat(incident.message()).contains("StackOverflowError");

    start(request("asked-deep", "asked-deep", 1));
    until("asked-deep", Status.WAITING);
    assertThatThrownBy(
            () ->
                TestNode.await(
                    node.workflows().query(WorkflowId.of("asked-deep"), "deep", Payload.NONE)))
        .hasMessageContaining("StackOverflowError");
    signal("asked-deep", "go", 9);
    assertThat(node.result("asked-deep")).isEqualTo("9");
  }

  @Test
  void aProgramWithoutOneOfItsClassesHasABug() {
    store(list("classless", 1, "activity add", "classless since today", "activity add"));
    start(request("classless", "classless", 1));
    Incident incident = until("classless", Status.INCIDENT).incident().orElseThrow();
    assertThat(incident.kind()).isEqualTo("bug");
    assertThat(incident.message()).contains("NoClassDefFoundError", "no/such/Class");
  }

  @Test
  void aVersionThatAsksForOtherThingsDoesNotFit() {
    store(list("fits", 1, "activity add", "signal go"));
    store(list("fits", 2, "signal go", "activity add"));
    start(request("fits", "fits", 1).version(1));
    until("fits", Status.WAITING);
    assertThatThrownBy(
            () ->
                TestNode.await(
                    node.workflows().moveToVersion(WorkflowId.of("fits"), 2, "let us see")))
        .hasCauseInstanceOf(WorkflowError.NotNow.class)
        .hasMessageContaining("activity#1");
    signal("fits", "go", 9);
    assertThat(node.result("fits")).isEqualTo("9");
  }

  @Test
  void aStepIsNothingThatADocumentCanAskFor() {
    store(list("steps", 1, "step one"));
    start(request("steps", "steps", 1));
    assertThat(until("steps", Status.INCIDENT).incident().orElseThrow().message())
        .contains("steps are Java code");
  }

  @Test
  void itIsAskedUpdatedAndCancelledLikeAnyOther() {
    store(list("asked", 1, "activity add", "signal go"));
    start(request("asked", "asked", 1));
    until("asked", Status.WAITING);
    WorkflowId id = WorkflowId.of("asked");
    assertThat(TestNode.text(TestNode.await(node.workflows().query(id, "line", Payload.NONE))))
        .isEqualTo("2");
    assertThatThrownBy(() -> TestNode.await(node.workflows().query(id, "nothing", Payload.NONE)))
        .hasCauseInstanceOf(WorkflowError.NoSuchQuery.class);
    TestNode.await(node.workflows().cancel(id, "enough"));
    assertThat(node.end("asked").status()).isEqualTo(Status.CANCELLED);
    // A replay of its history answers now.
    assertThat(TestNode.text(TestNode.await(node.workflows().query(id, "line", Payload.NONE))))
        .isEqualTo("2");
    audit("asked");
  }

  @Test
  void anotherNodeGoesOnWithWhatItReadsItself() {
    store(list("moves", 1, "activity add", "signal go", "activity add"));
    start(request("moves", "moves", 1));
    until("moves", Status.WAITING);
    node.stop();
    node = TestNode.start(database, plan(new ListInterpreter()));
    signal("moves", "go", 40);
    assertThat(node.result("moves")).isEqualTo("41");
    audit("moves");
  }

  @Test
  void aNodeThatDoesNotRunTheKindBlocksItAndOneThatDoesGoesOn() {
    store(list("kinds", 1, "signal go", "activity add"));
    start(request("kinds", "kinds", 1));
    until("kinds", Status.WAITING);
    node.stop();
    node = TestNode.start(database, plan());
    wake("kinds");
    assertThat(until("kinds", Status.BLOCKED).blockReason().orElseThrow())
        .contains("no programs of kind \"lists\"");
    node.stop();
    node = TestNode.start(database, plan(new ListInterpreter()));
    wake("kinds");
    signal("kinds", "go", 1);
    assertThat(node.result("kinds")).isEqualTo("2");
    audit("kinds");
  }
}
