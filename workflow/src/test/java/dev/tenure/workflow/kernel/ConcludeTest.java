package dev.tenure.workflow.kernel;

import static dev.tenure.workflow.kernel.ActivityCalls.A;
import static dev.tenure.workflow.kernel.ActivityCalls.NO_EFFECT;
import static dev.tenure.workflow.kernel.ActivityCalls.OFTEN;
import static dev.tenure.workflow.kernel.ActivityCalls.RESET;
import static dev.tenure.workflow.kernel.ActivityCalls.TWICE;
import static dev.tenure.workflow.kernel.ActivityCalls.UNPROVEN;
import static dev.tenure.workflow.kernel.ActivityCalls.audited;
import static dev.tenure.workflow.kernel.ActivityCalls.failTwice;
import static dev.tenure.workflow.kernel.ActivityCalls.keyed;
import static dev.tenure.workflow.kernel.ActivityCalls.keyedAndQueued;
import static dev.tenure.workflow.kernel.ActivityCalls.plain;
import static dev.tenure.workflow.kernel.ActivityCalls.started;
import static dev.tenure.workflow.kernel.Script.op;
import static dev.tenure.workflow.kernel.Script.par;
import static dev.tenure.workflow.kernel.Script.seq;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.audit.HistoryAudit;
import dev.tenure.workflow.collation.ActivityKind;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.Parent;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.lifecycle.WorkflowPhase;
import dev.tenure.workflow.operation.Due;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.OperationSpec.Step;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A person says how an activity came out. */
class ConcludeTest {
  private static final OperationSpec.Activity ONCE = keyed(RetryPolicy.NONE, Timeouts.NONE);
  private static final Outcome PAID = new Outcome.Succeeded(Script.text("paid"));
  private static final Failure REFUSED = Failure.permanent("bank.Refused", "no such account");

  private static Command conclude(Shell shell, Outcome outcome) {
    return shell.conclude(A, outcome, "the bank says so");
  }

  /** Nobody can tell how a#1 came out. */
  private static Shell standing() {
    Shell shell = started(ONCE);
    shell.fail("a#1", 1, UNPROVEN);
    return shell;
  }

  private static Outcome told(Shell shell) {
    return shell.events(Event.Completed.class).getFirst().outcome();
  }

  // --- an incident is resolved by it

  @Test
  void aResultThatAPersonKnowsResolvesTheIncident() {
    Shell shell = standing();
    assertThat(shell.tell(conclude(shell, PAID))).isEqualTo(Reply.DONE);
    assertThat(shell.lastCommit())
        .hasExactlyElementsOfTypes(
            Event.IncidentResolved.class,
            Event.Concluded.class,
            Event.Completed.class,
            Event.Scheduled.class);
    assertThat(shell.events(Event.Concluded.class).getFirst().note()).isEqualTo("the bank says so");
    assertThat(shell.state().incident()).isEmpty();
    shell.succeed("b#1", "2");
    assertThat(shell.result()).isEqualTo("a#1=paid;b#1=2;");
  }

  @Test
  void aFailureThatAPersonKnowsIsTold() {
    for (Failure failure : List.of(REFUSED, REFUSED.with(OutsideEffect.NONE))) {
      Shell shell = standing();
      shell.tell(conclude(shell, new Outcome.Failed(failure)));
      assertThat(told(shell)).isEqualTo(new Outcome.Failed(failure));
      assertThat(shell.state().status()).isEqualTo(Status.FAILED);
    }
  }

  @Test
  void aFailureThatWasTakenOverFromTheIncidentIsOneThatCodeCanHandle() {
    Shell shell = standing();
    shell.tell(conclude(shell, new Outcome.Failed(UNPROVEN.as(Failure.Form.DEFECT))));
    assertThat(told(shell)).isEqualTo(new Outcome.Failed(UNPROVEN.with(OutsideEffect.POSSIBLE)));
  }

  @Test
  void anIncidentOfACallThatFailedIsResolvedByItToo() {
    Shell shell = started(plain(TWICE.thenIncident(), Timeouts.NONE));
    failTwice(shell, 1, RESET);
    assertThat(shell.state().incident()).contains(new Incident.OperationFailed(A, 2, RESET));
    shell.tell(conclude(shell, PAID));
    assertThat(told(shell)).isEqualTo(PAID);
    assertThat(shell.state().incident()).isEmpty();
  }

  @Test
  void theNextOwnerFindsItConcluded() {
    Shell shell = standing();
    shell.tell(conclude(shell, PAID));
    shell.recover();
    assertThat(shell.effects(Effect.RunActivity.class)).isEmpty();
    shell.succeed("b#1", "2");
    assertThat(shell.result()).isEqualTo("a#1=paid;b#1=2;");
  }

  /** The commit that concludes does not stand: the incident does, and the person says it again. */
  @Test
  void aConclusionThatWasNotCommittedLeavesTheIncident() {
    Shell shell = standing();
    shell.journal.fate = events -> MemoryJournal.Fate.DIES_BEFORE;
    shell.tell(conclude(shell, PAID));
    shell.journal.fate = events -> MemoryJournal.Fate.STANDS;
    assertThat(shell.state().standsStillFor(A)).isTrue();
    assertThat(shell.tell(conclude(shell, PAID))).isEqualTo(Reply.DONE);
    assertThat(shell.events(Event.Concluded.class)).hasSize(1);
  }

  // --- without an incident

  @Test
  void aCallThatWaitsForItsNextAttemptIsConcluded() {
    for (OperationSpec call :
        List.of(
            keyed(OFTEN, Timeouts.NONE),
            plain(OFTEN, Timeouts.NONE),
            keyedAndQueued(OFTEN, Timeouts.NONE))) {
      Shell shell = started(call);
      shell.fail("a#1", 1, NO_EFFECT);
      assertThat(shell.tell(conclude(shell, PAID))).isEqualTo(Reply.DONE);
      assertThat(shell.lastCommit())
          .hasExactlyElementsOfTypes(
              Event.Concluded.class, Event.Completed.class, Event.Scheduled.class);
      shell.advance(Duration.ofHours(1));
      shell.due();
      assertThat(shell.events(Event.AttemptStarted.class)).isEmpty();
    }
  }

  @Test
  void aPausedWorkflowLearnsItWhenItGoesOn() {
    Shell shell = started(keyed(OFTEN, Timeouts.NONE));
    shell.fail("a#1", 1, UNPROVEN);
    shell.tell(new Command.Pause("look"));
    shell.tell(conclude(shell, PAID));
    assertThat(shell.state().withheld()).hasSize(1);
    assertThat(shell.events(Event.Scheduled.class)).as("b is not asked for").hasSize(1);
    shell.recover();
    shell.tell(new Command.Resume());
    shell.succeed("b#1", "2");
    assertThat(shell.result()).isEqualTo("a#1=paid;b#1=2;");
  }

  @Test
  void anIncidentOfAPausedWorkflowIsResolvedAndThePauseStays() {
    Shell shell = standing();
    shell.tell(new Command.Pause("look"));
    shell.tell(conclude(shell, PAID));
    assertThat(shell.state().status()).isEqualTo(Status.PAUSED);
    assertThat(shell.state().withheld()).hasSize(1);
    shell.tell(new Command.Resume());
    assertThat(shell.events(Event.Scheduled.class)).hasSize(2);
  }

  @Test
  void aBlockedWorkflowLearnsItWhenItsCodeIsThere() {
    Shell shell = started(keyed(OFTEN, Timeouts.NONE));
    shell.fail("a#1", 1, UNPROVEN);
    shell.tell(new Command.Block("no code"));
    shell.tell(conclude(shell, PAID));
    assertThat(shell.state().status()).isEqualTo(Status.BLOCKED);
    assertThat(shell.state().withheld()).hasSize(1);
    shell.recover();
    assertThat(shell.state().status()).isEqualTo(Status.RUNNING);
  }

  @Test
  void anotherIncidentStands() {
    Shell shell = audited(par(op("a", keyed(OFTEN, Timeouts.NONE)), op("b", ONCE)));
    shell.fail("a#1", 1, UNPROVEN);
    shell.fail("b#1", 1, UNPROVEN);
    shell.tell(conclude(shell, PAID));
    assertThat(shell.state().standsStillFor(new OperationId("b#1"))).isTrue();
    assertThat(shell.state().withheld()).hasSize(1);
    shell.tell(shell.conclude(new OperationId("b#1"), PAID, "and that one"));
    assertThat(shell.result()).isEqualTo("a#1=paid;b#1=paid;");
  }

  // --- what is refused

  private static void isRefused(Shell shell, Command command, String why) {
    int commits = shell.history.size();
    assertThat(shell.tell(command))
        .isInstanceOfSatisfying(
            Reply.NotOpen.class, reply -> assertThat(reply.toString()).contains(why));
    assertThat(shell.history).hasSize(commits);
  }

  @Test
  void anAttemptThatIsUnderWayCounts() {
    for (OperationSpec call :
        List.of(keyed(OFTEN, Timeouts.NONE), keyedAndQueued(OFTEN, Timeouts.NONE))) {
      Shell shell = started(call);
      isRefused(shell, conclude(shell, PAID), "is under way");
    }
  }

  @Test
  void whatIsConcludedIsOver() {
    Shell shell = standing();
    shell.tell(conclude(shell, PAID));
    isRefused(shell, conclude(shell, PAID), "is not open");
    isRefused(shell, shell.retry(A), "is not open");
    shell.succeed("b#1", "2");
    assertThat(shell.tell(conclude(shell, PAID))).isInstanceOf(Reply.AlreadyEnded.class);
  }

  @Test
  void ofTwoConclusionsInOneCommitTheFirstCounts() {
    Shell shell = standing();
    Reply reply =
        shell.tell(
            new Command.Several(
                List.of(conclude(shell, PAID), conclude(shell, new Outcome.Failed(REFUSED)))));
    assertThat(((Reply.Each) reply).replies().get(0)).isEqualTo(Reply.DONE);
    assertThat(((Reply.Each) reply).replies().get(1)).isInstanceOf(Reply.NotOpen.class);
    assertThat(told(shell)).isEqualTo(PAID);
  }

  @Test
  void onlyActivitiesAreConcluded() {
    Shell step = started(ONCE);
    step.fail("a#1", 1, UNPROVEN);
    step.tell(conclude(step, PAID));
    step.fail("b#1", 1, RESET);
    OperationId b = new OperationId("b#1");
    isRefused(step, step.conclude(b, PAID, "no"), "is a STEP");
    Shell timer =
        Shell.started(op("a", new OperationSpec.Timer(new Due.After(Duration.ofDays(1)))));
    isRefused(timer, conclude(timer, PAID), "is a TIMER");
    isRefused(timer, timer.conclude(b, PAID, "no"), "is not open");
    WorkflowState none = WorkflowState.none();
    assertThat(Kernel.standard().admit(none, conclude(timer, PAID), Shell.EPOCH))
        .isEqualTo(new Admission.Refused(new Reply.Unknown()));
  }

  @Test
  void aResultAtTheLimitIsTakenAndOnePastItIsNot() {
    Shell shell = standing();
    Payload past = Payload.of(new byte[Limits.KEPT_BYTES_MAX + 1]);
    assertThat(shell.tell(conclude(shell, new Outcome.Succeeded(past))))
        .isInstanceOfSatisfying(
            Reply.LimitReached.class,
            reply -> assertThat(reply.limit()).isEqualTo("KEPT_BYTES_MAX"));
    assertThat(shell.state().standsStillFor(A)).isTrue();
    Outcome largest = new Outcome.Succeeded(Payload.of(new byte[Limits.KEPT_BYTES_MAX]));
    assertThat(shell.tell(conclude(shell, largest))).isEqualTo(Reply.DONE);
    assertThat(told(shell)).isEqualTo(largest);
  }

  @Test
  void onlyAResultOrAFailureConcludes() {
    for (Outcome outcome :
        List.of(new Outcome.TimedOut("x"), new Outcome.Cancelled("x"), new Outcome.Terminated("x")))
      assertThatThrownBy(() -> conclude(standing(), outcome))
          .hasMessageContaining("a result or with a failure");
  }

  /** Such a history takes a hundred million attempts; here it is told in a few events. */
  @Test
  void aCallWhoseCounterIsFullTakesNoConclusion() {
    Shell shell = Shell.started(op("go", new OperationSpec.SignalWait("go", Optional.empty())));
    shell.evolve(
        new Event.Scheduled(shell.now, A, ONCE, new ActivityLedger(1_100_099_999_998L)),
        new Event.CodeRevised(shell.now, Ledgers.of(shell.state()).onRun(1, Parent.STAYS_OPEN)));
    shell.fail("a#1", 1, UNPROVEN);
    assertThat(shell.state().standsStillFor(A)).isTrue();
    Admission admission = shell.admit(conclude(shell, PAID));
    assertThat(admission)
        .isInstanceOfSatisfying(
            Admission.Refused.class,
            refused -> assertThat(refused.reply().toString()).contains("LEG2_ENTRIES"));
    shell.tell(new Command.Terminate("enough"));
    assertThat(shell.state().status()).isEqualTo(Status.TERMINATED);
  }

  // --- what depends on outcomes

  /** A compensation undoes what a person said was done. */
  @Test
  void aSagaUndoesWhatIsConcluded() {
    Step undo =
        Step.compensation(
            RetryPolicy.COMPENSATION,
            Timeouts.DEFAULT,
            new OperationSpec.Undo("saga#1", 1, Optional.of(A)));
    Step ofSaga = Step.ofSaga(RetryPolicy.DEFAULT, Timeouts.DEFAULT, "saga#1");
    Shell shell = audited(seq(op("a", ONCE), op("s", ofSaga), op("undo", undo)));
    shell.fail("a#1", 1, UNPROVEN);
    shell.tell(conclude(shell, PAID));
    shell.succeed("s#1", "1");
    shell.succeed("undo#1", "2");
    assertThat(shell.state().status()).isEqualTo(Status.COMPLETED);
  }

  private static Shell graph(Graph graph) {
    Shell shell = new Shell(Kernel.standard(), () -> new GraphScript(graph));
    HistoryAudit audit = new HistoryAudit("graph");
    shell.journal.onCommit = audit::commit;
    shell.tell(new Command.StartWorkflow(Shell.start("w").with(graph.accounting())));
    return shell;
  }

  private static Graph.Node call(Graph.Node... children) {
    return Graph.Node.of("a", ActivityKind.WORKER, ONCE, children);
  }

  @Test
  void inAGraphItAsksForWhatFollows() {
    Shell shell = graph(Graph.of(call(Graph.Node.step("b"), Graph.Node.step("c"))));
    shell.fail("a#1", 1, UNPROVEN);
    assertThat(shell.state().semaphore().open()).isOne();
    shell.tell(conclude(shell, PAID));
    assertThat(shell.state().semaphore().open()).as("1 + (2 - 1)").isEqualTo(2);
    assertThat(shell.events(Event.Spawned.class)).hasSize(1);
    shell.tell(new Command.AttemptEnded(GraphScript.id("b", ".a1"), 1, Outcome.DONE));
    shell.tell(new Command.AttemptEnded(GraphScript.id("c", ".a1"), 1, Outcome.DONE));
    assertThat(shell.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
  }

  @Test
  void inAGraphItClosesTheJob() {
    Shell shell = graph(Graph.of(call()));
    shell.fail("a#1", 1, UNPROVEN);
    shell.tell(conclude(shell, PAID));
    assertThat(shell.lastCommit())
        .endsWith(shell.events(Event.Closed.class).getFirst())
        .hasAtLeastOneElementOfType(Event.Concluded.class);
    assertThat(shell.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
  }

  @Test
  void inAHeldGraphItKeepsItsObligationUntilItsProgramKnows() {
    Shell shell = graph(Graph.of(call(Graph.Node.step("b"))));
    shell.fail("a#1", 1, UNPROVEN);
    shell.tell(new Command.Pause("look"));
    shell.tell(conclude(shell, PAID));
    assertThat(shell.state().operation(A).orElseThrow().phase()).isEqualTo(OperationPhase.ANSWERED);
    assertThat(shell.state().semaphore().open()).isOne();
    isRefused(shell, conclude(shell, PAID), "came out before");
    isRefused(shell, shell.retry(A), "came out before");
    shell.tell(new Command.Resume());
    shell.tell(new Command.AttemptEnded(GraphScript.id("b", ".a1"), 1, Outcome.DONE));
    assertThat(shell.state().phase()).isEqualTo(WorkflowPhase.CLOSED);
  }

  // --- forks

  @Test
  void aForkHasTheOutcomeAndNotWhoSaidSo() {
    Shell shell = standing();
    shell.tell(conclude(shell, PAID));
    Fork.Source source =
        new Fork.Source(WorkflowId.of("w"), "run-w", shell.history.size(), new OperationId("b#1"));
    List<Event> copy = Fork.of(shell.events(), Shell.start("f"), source, shell.now).orElseThrow();
    assertThat(copy)
        .hasExactlyElementsOfTypes(
            Event.Started.class, Event.Scheduled.class, Event.Completed.class, Event.Forked.class);
    new HistoryAudit("f").commit(copy);
    assertThat(((Event.Completed) copy.get(2)).outcome()).isEqualTo(PAID);
  }

  /** Its own call has a record of its own: it is not the source's, whatever came of that. */
  @Test
  void aForkFromBeforeTheCallMakesItAnew() {
    Shell shell = standing();
    Fork.Source source = new Fork.Source(WorkflowId.of("w"), "run-w", shell.history.size(), A);
    List<Event> copy = Fork.of(shell.events(), Shell.start("f"), source, shell.now).orElseThrow();
    Shell fork = new Shell(seq(op("a", ONCE), op("b", Step.DEFAULT)));
    fork.tell(new Command.ForkWorkflow(copy));
    fork.recover();
    assertThat(fork.effects(Effect.RunActivity.class))
        .extracting(Effect.RunActivity::proof)
        .containsExactly(Effect.Proof.GIVEN);
  }
}
