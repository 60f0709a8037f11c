package dev.tenure.workflow.kernel;

import static dev.tenure.workflow.kernel.Script.op;
import static dev.tenure.workflow.kernel.Script.par;
import static dev.tenure.workflow.kernel.Script.race;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.Payload;
import dev.tenure.workflow.StartPolicy;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.MessageContent;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.OperationSpec.SignalWait;
import dev.tenure.workflow.operation.OperationSpec.Step;
import dev.tenure.workflow.operation.Outcome;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A run whose next one finds no room in a commit for all that is left to be delivered. */
class RenewalSizeTest {
  /** Room for one message, and not for two. */
  private static final int BYTES = 1_000;

  private static final Script.Part A = op("a", Step.DEFAULT);
  private static final Script.Part TELL =
      op(
          "tell",
          new OperationSpec.Message(
              WorkflowId.of("other"),
              new MessageContent.Signal("go", Payload.of(new byte[BYTES / 2]))));
  private static final Wish NEXT = new Wish.ContinueAsNew(Payload.NONE, Optional.empty());

  private static Kernel kernel() {
    KernelLimits usual = KernelLimits.DEFAULT;
    return Kernel.standard(
        new KernelLimits(
            usual.openOperations(),
            usual.pendingUpdates(),
            usual.updateAnswerBytes(),
            usual.signalNames(),
            usual.duePerCommit(),
            usual.dueBytesPerCommit(),
            usual.carriedAnswersBytes(),
            usual.carriedUpdatesBytes(),
            usual.earlierStarts(),
            usual.openBytes(),
            BYTES));
  }

  private static Shell started(Script.Part main, int renewals) {
    Shell shell = new Shell(kernel(), () -> new Script(main, Optional.empty(), renewals));
    shell.tell(new Command.StartWorkflow(Shell.start("w")));
    return shell;
  }

  private static void isDelivered(Shell shell, int number) {
    shell.tell(new Command.MessageAcknowledged(new OperationId("tell#" + number), Outcome.DONE));
  }

  private static Shell waiting() {
    Shell shell = started(race(A, TELL, TELL), 1);
    shell.succeed("a#1", "1");
    assertThat(shell.events(Event.LetGo.class)).hasSize(2);
    assertThat(shell.events(Event.ContinuedAsNew.class)).isEmpty();
    return shell;
  }

  private static void continuesWithOne(Shell shell) {
    assertThat(shell.events(Event.ContinuedAsNew.class))
        .singleElement()
        .satisfies(next -> assertThat(next.carried()).hasSize(1));
    assertThat(shell.events(Event.IncidentRaised.class)).isEmpty();
  }

  @Test
  void theNextRunBeginsWhenThereIsRoomForWhatIsLeft() {
    Shell shell = waiting();
    isDelivered(shell, 2);
    continuesWithOne(shell);
  }

  @Test
  void anotherOwnerWaitsAsWell() {
    Shell shell = waiting();
    shell.recover();
    assertThat(shell.effects(Effect.Send.class)).as("they are sent again").hasSize(2);
    assertThat(shell.events(Event.ContinuedAsNew.class)).isEmpty();
    isDelivered(shell, 1);
    continuesWithOne(shell);
  }

  @Test
  void aRunThatWaitsCanBeTerminated() {
    Shell shell = waiting();
    shell.tell(new Command.Terminate("enough"));
    assertThat(shell.state().status()).isEqualTo(Status.TERMINATED);
    isDelivered(shell, 1);
    isDelivered(shell, 2);
    assertThat(shell.lastCommit().getLast()).isInstanceOf(Event.Closed.class);
  }

  /** It gives them back when it ends, and not before. */
  @Test
  void aRunThatWaitsKeepsTheSignalsThatItsProgramHasNotReceived() {
    Shell shell = started(par(op("go", new SignalWait("go", Optional.empty())), TELL, TELL), 0);
    Command both =
        new Command.Several(
            List.of(
                new Command.Pause("a look"), new Command.Signals(List.of(Shell.arrival("go", 1)))));
    shell.commit(both, Wishes.of(NEXT));
    assertThat(shell.lastCommit())
        .hasExactlyElementsOfTypes(Event.Paused.class, Event.SignalConsumed.class);
  }

  @Test
  void whatIsOpenForOtherReasonsIsRefusedWithTheNameOfTheLimit() {
    Script.Part[] steps = new Script.Part[20];
    for (int i = 0; i < steps.length; i++) steps[i] = A;
    Shell shell = started(par(steps), 0);
    shell.commit(new Command.Several(List.of(new Command.GrantMore())), Wishes.of(NEXT));
    assertThat(shell.state().incident().orElseThrow()).isInstanceOf(Incident.InvalidWish.class);
    assertThat(shell.state().incident().orElseThrow().message())
        .contains("CARRIED_BYTES_MAX = " + BYTES);
    shell.tell(new Command.Terminate("enough"));
    assertThat(shell.state().status()).isEqualTo(Status.TERMINATED);
  }

  private static Reply startAgain(Shell shell, StartPolicy policy) {
    return shell.tell(new Command.StartWorkflow(Shell.startAgain("w", "2"), policy));
  }

  private static void isRefused(Reply reply, String advice) {
    assertThat(reply).isInstanceOf(Reply.LimitReached.class);
    Reply.LimitReached limit = (Reply.LimitReached) reply;
    assertThat(limit.limit()).isEqualTo("CARRIED_BYTES_MAX");
    assertThat(limit.value()).isGreaterThan(limit.largest());
    assertThat(limit.largest()).isEqualTo(BYTES);
    assertThat(limit.advice()).contains(advice);
  }

  @Test
  void anotherStartTakesOverWhenThereIsRoomForWhatIsLeft() {
    Shell shell = started(race(A, TELL, TELL), 0);
    shell.succeed("a#1", "1");
    int commits = shell.history.size();
    isRefused(startAgain(shell, StartPolicy.ALLOW_IF_CLOSED), "Start it again");
    assertThat(shell.history).hasSize(commits);
    isDelivered(shell, 1);
    assertThat(startAgain(shell, StartPolicy.ALLOW_IF_CLOSED)).isInstanceOf(Reply.Started.class);
    assertThat(shell.events(Event.StartedAgain.class).getFirst().carried()).hasSize(1);
  }

  @Test
  void aRunIsReplacedWhenThereIsRoomForWhatItLeaves() {
    Shell shell = started(par(A, TELL, TELL), 0);
    isRefused(startAgain(shell, StartPolicy.TERMINATE_IF_RUNNING), "Terminate the run");
    assertThat(shell.state().outcome()).isEmpty();
    isDelivered(shell, 1);
    assertThat(startAgain(shell, StartPolicy.TERMINATE_IF_RUNNING))
        .isInstanceOf(Reply.Started.class);
  }

  /** Their run gave them back when it ended, and leaves nothing. */
  @Test
  void signalsThatARunDidNotReceiveCountUntilItEnds() {
    Script.Part[] waits = new Script.Part[20];
    for (int i = 0; i < waits.length; i++)
      waits[i] = op("go", new SignalWait("go", Optional.empty()));
    Shell shell = started(par(waits), 0);
    shell.tell(new Command.Pause("a look"));
    for (int i = 1; i <= waits.length; i++) shell.signal("go", i);
    assertThat(shell.state().openOperations()).isEmpty();
    isRefused(startAgain(shell, StartPolicy.TERMINATE_IF_RUNNING), "Terminate the run");
    shell.tell(new Command.Terminate("enough"));
    assertThat(startAgain(shell, StartPolicy.ALLOW_IF_CLOSED)).isInstanceOf(Reply.Started.class);
  }
}
