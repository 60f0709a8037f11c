package dev.tenure.workflow.kernel;

import static dev.tenure.workflow.kernel.Script.op;
import static dev.tenure.workflow.kernel.Script.seq;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.operation.OperationSpec.Step;
import dev.tenure.workflow.operation.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class UpdatesTest {
  private static final Script.Part ANSWER = new Script.Part.AnswerUpdate();
  private static final Outcome YES = new Outcome.Succeeded(Script.text("yes"));
  private static final Script.Part A = op("a", Step.DEFAULT);

  private static Command.Update update(String id) {
    return new Command.Update(id, "set", Script.text("good"));
  }

  @Test
  void anUpdateIsAnsweredInTheCommitThatAdmitsItWhenTheProgramCan() {
    Shell shell = Shell.started(seq(ANSWER, A));
    Reply reply = shell.tell(update("u1"));
    assertThat(reply).isEqualTo(new Reply.UpdateAnswered("u1", YES));
    assertThat(shell.lastCommit())
        .hasExactlyElementsOfTypes(
            Event.UpdateAdmitted.class, Event.UpdateAnswered.class, Event.Scheduled.class);
  }

  @Test
  void anotherUpdateUnderTheSameIdIsRefused() {
    Shell shell = Shell.started(seq(A, ANSWER));
    shell.tell(update("u1"));
    Reply conflict = new Reply.UpdateConflict("u1");
    Command.Update otherBody = new Command.Update("u1", "set", Script.text("other"));
    assertThat(shell.tell(otherBody)).isEqualTo(conflict);
    assertThat(shell.tell(new Command.Update("u1", "get", Script.text("good"))))
        .isEqualTo(conflict);
    shell.succeed("a#1", "");
    shell.recover();
    assertThat(shell.tell(otherBody)).as("answered, and recovered").isEqualTo(conflict);
    assertThat(shell.tell(update("u1"))).isInstanceOf(Reply.UpdateAnswered.class);
  }

  @Test
  void anUpdateThatTakesLongerIsDurableBeforeItsAnswerFollows() {
    Shell shell = Shell.started(seq(A, ANSWER));
    assertThat(shell.tell(update("u1"))).isEqualTo(new Reply.UpdatePending("u1"));
    assertThat(shell.tell(update("u1"))).isEqualTo(new Reply.UpdatePending("u1"));
    shell.recover();
    assertThat(shell.state().pendingUpdates()).containsOnlyKeys("u1");
    shell.succeed("a#1", "");
    assertThat(shell.effects(Effect.AnswerUpdate.class))
        .containsExactly(new Effect.AnswerUpdate("u1", YES));
    assertThat(shell.events(Event.UpdateAdmitted.class)).hasSize(1);
    assertThat(shell.events(Event.UpdateAnswered.class)).hasSize(1);
  }

  @Test
  void whoAsksAgainGetsTheSameAnswerEvenAfterTheEnd() {
    Shell shell = Shell.started(seq(ANSWER));
    shell.tell(update("u1"));
    assertThat(shell.state().status()).isEqualTo(Status.COMPLETED);
    assertThat(shell.tell(update("u1"))).isEqualTo(new Reply.UpdateAnswered("u1", YES));
    assertThat(shell.tell(update("u2"))).isInstanceOf(Reply.AlreadyEnded.class);
  }

  @Test
  void aRefusedUpdateIsAnsweredAndLeavesNoTrace() {
    Shell shell = Shell.started(seq(ANSWER));
    Reply reply = shell.tell(new Command.Update("u1", "set", Script.text("bad")));
    Outcome refused = new Outcome.Failed(Failure.permanent("Rejected", "bad"));
    assertThat(reply).isEqualTo(new Reply.UpdateAnswered("u1", refused));
    assertThat(shell.history).hasSize(1);
    assertThat(shell.tell(update("u1"))).isEqualTo(new Reply.UpdateAnswered("u1", YES));
  }

  @Test
  void aRefusedUpdateAmongOthersLeavesTheOthers() {
    Shell shell = Shell.started(seq(ANSWER, A));
    Reply reply =
        shell.tell(
            new Command.Several(
                List.of(
                    new Command.Update("u1", "set", Script.text("bad")),
                    update("u2"),
                    new Command.Update("u3", "set", Script.text("bad")))));
    assertThat(((Reply.Each) reply).replies())
        .hasOnlyElementsOfType(Reply.UpdateAnswered.class)
        .contains(new Reply.UpdateAnswered("u2", YES));
    assertThat(shell.events(Event.UpdateAdmitted.class)).hasSize(1);
    assertThat(shell.state().semaphore().open()).isEqualTo(2);
    String before = shell.state().toString();
    shell.recover();
    assertThat(shell.events(Event.CodeRevised.class)).isEmpty();
    assertThat(before).contains("u2");
  }

  @Test
  void anUpdateThatWasRecordedWhileItWasHeldIsRefusedOnTheRecord() {
    Shell shell = Shell.started(seq(ANSWER));
    shell.tell(new Command.Pause("x"));
    assertThat(shell.tell(new Command.Update("u1", "set", Script.text("bad"))))
        .isEqualTo(new Reply.UpdatePending("u1"));
    shell.tell(new Command.Resume());
    assertThat(shell.events(Event.UpdateAnswered.class)).hasSize(1);
    assertThat(shell.state().pendingUpdates()).isEmpty();
  }

  @Test
  void whatIsNotAnsweredWhenTheWorkflowEndsIsAnsweredThen() {
    Shell shell = Shell.started(A);
    shell.tell(update("u1"));
    shell.succeed("a#1", "");
    Outcome answer = shell.state().answeredUpdates().get("u1");
    assertThat(((Outcome.Failed) answer).failure().type()).isEqualTo(Failure.WORKFLOW_ENDED);
    assertThat(shell.effects(Effect.AnswerUpdate.class)).hasSize(1);
  }

  @Test
  void pendingUpdatesAreBounded() {
    Shell shell = Shell.started(A);
    List<Command> many = new ArrayList<>();
    for (int at = 0; at < Limits.PENDING_UPDATES_MAX; at++) many.add(update("u" + at));
    shell.tell(new Command.Several(many));
    assertThat(shell.state().pendingUpdates()).hasSize(Limits.PENDING_UPDATES_MAX);
    Reply.LimitReached reply = (Reply.LimitReached) shell.tell(update("one more"));
    assertThat(reply.limit()).isEqualTo("PENDING_UPDATES_MAX");
    Command.Update large =
        new Command.Update("large", "set", Payload.of(new byte[Limits.PAYLOAD_BYTES_MAX + 1]));
    assertThat(((Reply.LimitReached) shell.tell(large)).limit()).isEqualTo("PAYLOAD_BYTES_MAX");
  }

  @Test
  void theOldestAnswersAreForgottenFirst() {
    Script.Part[] answers = new Script.Part[Limits.ANSWERED_UPDATES_MAX + 2];
    Arrays.fill(answers, ANSWER);
    Shell shell = Shell.started(seq(answers));
    for (int at = 0; at <= Limits.ANSWERED_UPDATES_MAX; at++) shell.tell(update("u" + at));
    assertThat(shell.state().answeredUpdates())
        .hasSize(Limits.ANSWERED_UPDATES_MAX)
        .doesNotContainKey("u0")
        .containsKey("u1");
  }

  @Test
  void anAnswerPastItsLimitSaysSoInsteadOfBeingCut() {
    Shell shell = Shell.started(seq(A));
    Command.Update update = update("u1");
    Payload large = Payload.of(new byte[Limits.UPDATE_ANSWER_BYTES_MAX + 1]);
    Reply reply =
        shell.commit(update, Wishes.of(new Wish.AnswerUpdate("u1", new Outcome.Succeeded(large))));
    Outcome.Failed failed = (Outcome.Failed) ((Reply.UpdateAnswered) reply).outcome();
    assertThat(failed.failure().message()).contains("UPDATE_ANSWER_BYTES_MAX");
    Command.Update fits = update("u2");
    Outcome largest = new Outcome.Succeeded(Payload.of(new byte[Limits.UPDATE_ANSWER_BYTES_MAX]));
    assertThat(shell.commit(fits, Wishes.of(new Wish.AnswerUpdate("u2", largest))))
        .isEqualTo(new Reply.UpdateAnswered("u2", largest));
  }
}
