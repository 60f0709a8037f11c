package dev.tenure.workflow.kernel;

import static dev.tenure.workflow.kernel.Graph.Node.cycle;
import static dev.tenure.workflow.kernel.Graph.Node.hook;
import static dev.tenure.workflow.kernel.Graph.Node.pass;
import static dev.tenure.workflow.kernel.Graph.Node.pivot;
import static dev.tenure.workflow.kernel.Graph.Node.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.collation.ActivityKind;
import dev.tenure.workflow.collation.DimensionalAddress;
import dev.tenure.workflow.collation.JobSemaphore.Edge;
import dev.tenure.workflow.collation.Parent;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.lifecycle.WorkflowPhase;
import dev.tenure.workflow.operation.MessageContent;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.OperationSpec.Step;
import dev.tenure.workflow.operation.Outcome;
import dev.tenure.workflow.operation.Place;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The job semaphore of a graph counts what the contract counts (I10, I11). */
class GraphAccountingTest {
  private static final int LIVES = 1_200;

  private static Shell started(Graph graph) {
    Shell shell = new Shell(Kernel.standard(), () -> new GraphScript(graph));
    shell.tell(new Command.StartWorkflow(Shell.start("w").with(graph.accounting())));
    return shell;
  }

  private static OperationId id(String name, String plane) {
    return GraphScript.id(name, plane);
  }

  private static void done(Shell shell, OperationId id) {
    shell.tell(new Command.AttemptEnded(id, 1, Outcome.DONE));
  }

  private static Operation operation(Shell shell, OperationId id) {
    return shell.state().operation(id).orElseThrow();
  }

  private static long open(Shell shell) {
    return shell.state().semaphore().open();
  }

  @Test
  void theTriggerOpensTheSemaphoreWithItsChildren() {
    Shell shell = started(Graph.of(step("a"), step("b"), step("c")));
    assertThat(open(shell)).isEqualTo(3);
    Event.Started started = shell.events(Event.Started.class).getFirst();
    assertThat(started.inception().guid()).as("step 1").hasToString("000010000000000");
    Event.Published published = shell.events(Event.Published.class).getFirst();
    assertThat(published.inception().guid()).as("step 2").hasToString("000011000000000");
    assertThat(published.inception().children()).isEqualTo(3);
    for (String name : List.of("a", "b", "c"))
      assertThat(operation(shell, id(name, "")).place())
          .isEqualTo(
              new Place(ActivityKind.WORKER, new DimensionalAddress(",0,0"), Optional.empty()));
  }

  @Test
  void eachMessageMovesItByWhatItAsksForLessItsOwn() {
    Shell shell = started(Graph.of(step("a", step("c"), step("d"), step("e")), step("b")));
    Command a = new Command.AttemptEnded(id("a", ""), 1, Outcome.DONE);
    Command b = new Command.AttemptEnded(id("b", ""), 1, Outcome.DONE);
    shell.tell(new Command.Several(List.of(a, b)));
    assertThat(shell.events(Event.Spawned.class))
        .as("2 + (3 - 1), and then 4 + (0 - 1)")
        .extracting(event -> event.operation() + " " + event.digits().semaphore().open())
        .containsExactly(id("a", "") + " 4", id("b", "") + " 3");
    Event.Spawned first = shell.events(Event.Spawned.class).getFirst();
    assertThat(first.digits().activity()).hasToString("001100000000001");
    assertThat(first.digits().guid()).hasToString("000011000000001");
    assertThat(operation(shell, id("c", ".a1")).place().cause()).contains(id("a", ""));
    assertThat(operation(shell, id("c", ".a1")).place().address()).hasToString(",0,0,0");
    assertThat(shell.state().phase()).isEqualTo(WorkflowPhase.LIVE);
  }

  @Test
  void theMessageThatReachesTheThresholdClosesTheJobInTheSameCommit() {
    Shell shell = started(Graph.of(step("a"), step("b")));
    done(shell, id("b", ""));
    assertThat(shell.state().phase()).isEqualTo(WorkflowPhase.LIVE);
    done(shell, id("a", ""));
    assertThat(shell.lastCommit())
        .hasExactlyElementsOfTypes(
            Event.Completed.class, Event.Spawned.class, Event.Ended.class, Event.Closed.class);
    Event.Spawned closing = shell.events(Event.Spawned.class).getLast();
    assertThat(closing.digits().guid()).as("it closed the job").hasToString("000111000000001");
    Event.Ended end = shell.events(Event.Ended.class).getFirst();
    assertThat(end.digits().guid()).as("step 3 is its own").hasToString("000111100000001");
    assertThat(end.digits().activity()).as("finalized").hasToString("201100000000001");
    assertThat(shell.result()).isEqualTo("b#1;a#1;");
    int commits = shell.history.size();
    done(shell, id("a", ""));
    assertThat(shell.admission).isInstanceOf(Admission.Duplicate.class);
    assertThat(shell.history).hasSize(commits);
  }

  @Test
  void aJobThatHasNothingToWaitForIsClosedByItsTrigger() {
    Shell shell = started(Graph.of());
    assertThat(shell.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
    assertThat(shell.events(Event.Ended.class).getFirst().digits().guid())
        .hasToString("000011100000000");
  }

  /** A hook that answers 202 keeps its obligation: its message adds what it asks for. */
  @Test
  void aHookThatStaysOpenAsksForItsChildrenWithEachMessage() {
    Shell shell = started(Graph.of(hook("h", "go", 3, step("a"), step("b"))));
    OperationId hook = id("h", "");
    shell.signal("go", 1);
    assertThat(open(shell)).as("1 + 2").isEqualTo(3);
    assertThat(operation(shell, hook).phase()).isEqualTo(OperationPhase.WAITING);
    assertThat(operation(shell, hook).ledger()).hasToString("001100000000001");
    assertThat(operation(shell, hook).guid()).hasToString("000011000000001");
    assertThat(shell.effects(Effect.LookForSignal.class)).as("it looks again").hasSize(2);
    shell.signal("go", 1);
    assertThat(shell.history).as("the same signal again").hasSize(2);
    shell.signal("go", 2);
    assertThat(open(shell)).as("3 + 2").isEqualTo(5);
    assertThat(operation(shell, id("a", ".h2")).place().address())
        .as("the second message is another plane")
        .hasToString(",0,1,0");
    shell.signal("go", 3);
    assertThat(open(shell)).as("5 + 2 - 1").isEqualTo(6);
    assertThat(shell.state().operation(hook)).isEmpty();
    assertThat(shell.events(Event.Spawned.class))
        .extracting(Event.Spawned::parent)
        .containsExactly(Parent.STAYS_OPEN, Parent.STAYS_OPEN, Parent.CLOSES);
  }

  @Test
  void aCycleHandsItsObligationToTheEntryOfItsAncestor() {
    Shell shell = started(Graph.of(pivot("p", step("a", cycle("c", "p", 2)))));
    assertThat(open(shell)).as("the pivot passed, its child is open").isOne();
    OperationId pivot = id("p", "");
    assertThat(shell.state().pivots.values())
        .singleElement()
        .satisfies(one -> assertThat(one.ledger()).hasToString("001100000000001"));
    done(shell, id("a", ".p1"));
    assertThat(open(shell)).as("a closes, the cycle opens, its entry is replaced by a").isOne();
    Event.Reentered again = shell.events(Event.Reentered.class).getFirst();
    assertThat(again.pivot()).isEqualTo(pivot);
    assertThat(again.ledger()).as("the cycle's own").hasToString("001100000000001");
    assertThat(again.digits().activity()).as("the pivot's").hasToString("001100000000002");
    assertThat(again.digits().guid()).hasToString("000010000000002");
    assertThat(operation(shell, id("a", ".p2")).place().address())
        .as("the first re-entry is plane 1")
        .hasToString(",0,1,0");
    done(shell, id("a", ".p2"));
    assertThat(operation(shell, id("a", ".p3")).place().address()).hasToString(",0,2,0");
    shell.recover();
    done(shell, id("a", ".p3"));
    assertThat(shell.state().phase())
        .as("the cycle has had its turns")
        .isEqualTo(WorkflowPhase.CLOSED);
    assertThat(shell.state().pivots.values()).isEmpty();
  }

  @Test
  void ancestorsOfPlanesThatNothingLeadsBackToAreForgotten() {
    Graph graph =
        Graph.of(pivot("outer", step("a", pivot("inner", step("b", cycle("again", "outer", 30))))));
    Shell shell = started(graph);
    String plane = "";
    for (int turn = 1; turn <= 20; turn++) {
      String below = ".outer" + turn;
      done(shell, id("a", below));
      done(shell, id("b", below + ".a1.inner1"));
      plane = below;
    }
    assertThat(shell.state().pivots.values()).as("after %s", plane).hasSizeLessThan(4);
    assertThat(shell.state().incident()).isEmpty();
  }

  @Test
  void theThresholdIsAParameter() {
    Shell shell = started(Graph.of(step("a"), step("b"), step("c")).until(2));
    assertThat(shell.state().semaphore().threshold()).isEqualTo(2);
    done(shell, id("b", ""));
    assertThat(shell.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
    assertThat(shell.state().semaphore().edge()).isEqualTo(Edge.TAKEN);
    assertThat(shell.events(Event.Spawned.class)).singleElement();
    assertThat(shell.events(Event.Abandoned.class))
        .as("what is open then is written off one by one")
        .hasSize(2);
    assertThat(shell.events(Event.Ended.class).getFirst().digits().guid())
        .hasToString("000111100000001");
  }

  /** Nobody knows yet what it asks for, so it has its step 1 and keeps its obligation. */
  @Test
  void whatCameWhileTheGraphWasHeldIsDischargedWhenItsProgramKnows() {
    Shell shell = started(Graph.of(step("a", step("b"))));
    shell.tell(new Command.Pause("look"));
    done(shell, id("a", ""));
    assertThat(open(shell)).isOne();
    assertThat(operation(shell, id("a", "")).phase()).isEqualTo(OperationPhase.ANSWERED);
    assertThat(operation(shell, id("a", "")).guid()).as("step 1").hasToString("000010000000001");
    assertThat(shell.state().wakeAt()).isEqualTo(Wake.NEVER);
    done(shell, id("a", ""));
    assertThat(shell.admission).as("it is recorded").isInstanceOf(Admission.Duplicate.class);
    shell.recover();
    shell.tell(new Command.Resume());
    assertThat(shell.state().operation(id("a", ""))).isEmpty();
    assertThat(open(shell)).as("b").isOne();
    done(shell, id("b", ".a1"));
    assertThat(shell.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
  }

  @Test
  void theLastMessageOfAHeldGraphClosesItOnlyWhenItIsReleased() {
    Shell shell = started(Graph.of(step("a")));
    shell.tell(new Command.Pause("look"));
    done(shell, id("a", ""));
    assertThat(shell.state().phase()).isEqualTo(WorkflowPhase.HELD);
    shell.tell(new Command.Resume());
    assertThat(shell.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
  }

  @Test
  void aHeldGraphCanBeTerminated() {
    Shell shell = started(Graph.of(hook("h", "go", 3, step("a")), step("b")));
    shell.tell(new Command.Pause("look"));
    shell.signal("go", 1);
    shell.tell(new Command.Terminate("enough"));
    assertThat(shell.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
    assertThat(open(shell)).isZero();
    assertThat(shell.events(Event.SignalReturned.class)).as("nobody received it").hasSize(1);
  }

  @Test
  void aMessageToAnotherWorkflowHasItsStepsInLeg1() {
    OperationSpec message =
        new OperationSpec.Message(
            WorkflowId.of("x"), new MessageContent.Signal("s", dev.tenure.workflow.Payload.NONE));
    Shell shell =
        started(Graph.of(Graph.Node.of("m", ActivityKind.SIGNAL, message, step("a")), step("b")));
    assertThat(operation(shell, id("m", "")).ledger()).hasToString("001000000000000");
    shell.tell(new Command.MessageAcknowledged(id("m", ""), Outcome.DONE));
    assertThat(shell.events(Event.Spawned.class).getFirst().digits().guid())
        .hasToString("000011000000000");
    assertThat(open(shell)).isEqualTo(2);
  }

  /** A program that asks for what cannot be has not said what its messages ask for. */
  @Test
  void wishesThatCannotBeDischargeNothing() {
    Shell shell = started(Graph.of(step("a")));
    Command done = new Command.AttemptEnded(id("a", ""), 1, Outcome.DONE);
    OperationId child = OperationId.of("", "child", 1);
    shell.commit(
        done, Wishes.of(new Wish.Schedule(child, Step.DEFAULT, OperationId.of("", "nobody", 1))));
    assertThat(shell.state().incident().orElseThrow().message()).contains("nobody#1");
    assertThat(open(shell)).isOne();
    assertThat(operation(shell, id("a", "")).phase()).isEqualTo(OperationPhase.ANSWERED);
    shell.resolve(() -> new GraphScript(Graph.of(step("a", step("b")))));
    assertThat(shell.state().incident()).isEmpty();
    assertThat(open(shell)).as("b").isOne();
  }

  @Test
  void aCycleGoesToWhatCanBeEnteredAgain() {
    Shell shell = started(Graph.of(step("a"), pass("b")));
    Command done = new Command.AttemptEnded(id("a", ""), 1, Outcome.DONE);
    OperationId cycle = OperationId.of("", "cycle", 1);
    shell.commit(
        done,
        Wishes.of(new Wish.Schedule(cycle, new OperationSpec.Cycle(id("b", "")), id("a", ""))));
    assertThat(shell.state().incident().orElseThrow().message())
        .contains("goes to b#1, which cannot be entered again");
  }

  @Test
  void codeNamesNoCauses() {
    Shell shell = Shell.started(Script.op("a", Step.DEFAULT));
    Command done = new Command.AttemptEnded(new OperationId("a#1"), 1, Outcome.DONE);
    shell.commit(
        done,
        Wishes.of(new Wish.Schedule(new OperationId("b#1"), Step.DEFAULT, new OperationId("a#1"))));
    assertThat(shell.state().incident().orElseThrow().message()).contains("the workflow is code");
  }

  /** A commit that does not hold all that a message asks for leaves the message open. */
  @Test
  void childrenThatAreAskedForInPortionsCloseNothingOnTheWay() {
    Shell shell = new Shell(Kernel.standard(), () -> new GraphScript(wide()));
    shell.portion = () -> 2;
    shell.tell(new Command.StartWorkflow(Shell.start("w").with(wide().accounting())));
    assertThat(open(shell)).isOne();
    done(shell, id("a", ""));
    assertThat(open(shell)).isEqualTo(7);
    assertThat(shell.events(Event.Spawned.class)).singleElement();
    assertThat(operation(shell, id("b6", ".a1")).place().address()).hasToString(",0,0,0");
    for (int i = 0; i < 7; i++) done(shell, id("b" + i, ".a1"));
    assertThat(shell.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
  }

  @Test
  void aPortionThatClosesTheJobEndsItAsItsProgramSays() {
    Graph graph =
        Graph.of(step("a", step("c"), step("d"), step("e")).abandoning("b"), step("b")).until(1);
    Shell shell = new Shell(Kernel.standard(), () -> new GraphScript(graph));
    shell.tell(new Command.StartWorkflow(Shell.start("w").with(graph.accounting())));
    shell.portion = () -> 1;
    done(shell, id("a", ""));
    assertThat(shell.events(Event.Abandoned.class).getFirst().operation()).isEqualTo(id("b", ""));
    assertThat(shell.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
    assertThat(shell.result()).isEqualTo("a#1;");
  }

  /** What waited for the end of a pause is asked for with the command that ends it. */
  @Test
  void wishesThatComeWithACommandWithoutNewsCount() {
    Shell shell = started(Graph.of(step("a")));
    Command resume = new Command.Resume();
    shell.tell(new Command.Pause("look"));
    OperationId late = OperationId.of("", "late", 1);
    shell.commit(resume, Wishes.of(new Wish.Schedule(late, Step.DEFAULT)));
    assertThat(shell.state().operation(late)).isPresent();
    assertThat(open(shell)).isEqualTo(2);
  }

  private static Graph wide() {
    Graph.Node[] children = new Graph.Node[7];
    for (int i = 0; i < children.length; i++) children[i] = step("b" + i);
    return Graph.of(step("a", children));
  }

  @Test
  void whatThePortionsHoldTogetherIsWhatOneCommitHolds() {
    for (long seed = 0; seed < LIVES; seed += 2) new GraphRun(Kernel.standard(), seed).live();
  }

  @Test
  void theSemaphoreIsWhatTheContractSaysInEveryLife() {
    Optional<Long> given = Optional.ofNullable(System.getenv("TENURE_SEED")).map(Long::valueOf);
    long seed = given.orElseGet(System::nanoTime);
    System.out.println("GraphAccountingTest: TENURE_SEED=" + seed);
    int lives = given.isPresent() ? 1 : LIVES;
    for (int life = 0; life < lives; life++) new GraphRun(Kernel.standard(), seed + life).live();
  }

  /** A checker that finds nothing must be shown to find something. */
  @Test
  void everyPlantedBugIsFound() {
    Map<String, String> found = new TreeMap<>();
    GraphCanaries.all().forEach((bug, broken) -> found.put(bug, firstFailure(broken)));
    assertThat(found)
        .allSatisfy((bug, failure) -> assertThat(failure).as(bug).isNotEqualTo("survived"));
  }

  private static String firstFailure(Kernel broken) {
    for (long seed = 0; seed < LIVES; seed++) {
      try {
        new GraphRun(broken, seed).live();
      } catch (AssertionError found) {
        return String.valueOf(found.getCause() == null ? found : found.getCause());
      }
    }
    return "survived";
  }
}
