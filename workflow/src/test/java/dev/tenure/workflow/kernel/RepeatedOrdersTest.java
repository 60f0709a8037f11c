package dev.tenure.workflow.kernel;

import static dev.tenure.workflow.kernel.ActivityCalls.A;
import static dev.tenure.workflow.kernel.ActivityCalls.OFTEN;
import static dev.tenure.workflow.kernel.ActivityCalls.RESET;
import static dev.tenure.workflow.kernel.ActivityCalls.UNPROVEN;
import static dev.tenure.workflow.kernel.ActivityCalls.keyed;
import static dev.tenure.workflow.kernel.ActivityCalls.plain;
import static dev.tenure.workflow.kernel.ActivityCalls.started;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.operation.AttemptRef;
import dev.tenure.workflow.operation.Outcome;
import org.junit.jupiter.api.Test;

/** Orders about an attempt that come twice, or after another person's. */
class RepeatedOrdersTest {
  private static final Outcome PAID = new Outcome.Succeeded(Script.text("paid"));

  /** Nobody can tell how the first attempt at a#1 came out. */
  private static Shell standing() {
    Shell shell = started(keyed(RetryPolicy.NONE, Timeouts.NONE));
    shell.fail("a#1", 1, UNPROVEN);
    return shell;
  }

  /** How often it went out by now. */
  private static int calls(Shell shell) {
    shell.due();
    return 1 + shell.events(Event.AttemptStarted.class).size();
  }

  @Test
  void aRetryThatIsSentTwiceIsOneCall() {
    Shell shell = standing();
    Command sent = shell.retry(A);
    assertThat(shell.tell(sent)).isEqualTo(Reply.DONE);
    assertThat(calls(shell)).isEqualTo(2);
    assertThat(shell.tell(sent)).as("while it runs").isInstanceOf(Reply.AlreadyDone.class);
    shell.fail("a#1", 2, UNPROVEN);
    assertThat(shell.state().standsStillFor(A)).isTrue();

    assertThat(shell.tell(sent)).isInstanceOf(Reply.AlreadyDone.class);
    assertThat(shell.state().standsStillFor(A)).as("this one nobody has looked at").isTrue();
    assertThat(calls(shell)).isEqualTo(2);
    assertThat(shell.tell(shell.retry(A))).isEqualTo(Reply.DONE);
    assertThat(calls(shell)).isEqualTo(3);
  }

  @Test
  void theSameHoldsForACallThatWaitsForItsNextAttempt() {
    Shell shell = started(plain(OFTEN, Timeouts.NONE));
    shell.fail("a#1", 1, RESET);
    Command sent = shell.retry(A);
    shell.tell(sent);
    assertThat(calls(shell)).isEqualTo(2);
    shell.fail("a#1", 2, RESET);
    assertThat(shell.tell(sent)).isInstanceOf(Reply.AlreadyDone.class);
    assertThat(shell.events(Event.Retried.class)).hasSize(1);
  }

  @Test
  void aConclusionOfOneAttemptIsNoneOfTheNext() {
    Shell shell = standing();
    Command meant = shell.conclude(A, PAID, "it is in the books");
    shell.tell(shell.retry(A));
    shell.due();
    shell.fail("a#1", 2, UNPROVEN);
    assertThat(shell.tell(meant))
        .isInstanceOfSatisfying(
            Reply.NotOpen.class, reply -> assertThat(reply.why()).contains("at 3"));
    assertThat(shell.events(Event.Completed.class)).isEmpty();
    assertThat(shell.state().standsStillFor(A)).isTrue();
  }

  @Test
  void anOrderForAnotherRunIsRefused() {
    Shell shell = standing();
    AttemptRef elsewhere = new AttemptRef("run-before", A, 2);
    for (Command order :
        new Command[] {
          new Command.Retry(elsewhere, ""), new Command.Conclude(elsewhere, PAID, "paid")
        })
      assertThat(shell.tell(order))
          .isInstanceOfSatisfying(
              Reply.NotOpen.class,
              reply -> assertThat(reply.why()).contains("run-before", "run-w"));
    assertThat(shell.state().standsStillFor(A)).isTrue();
  }

  @Test
  void anAttemptThatWasNeverMadeIsRefused() {
    Shell shell = standing();
    AttemptRef third = new AttemptRef("run-w", A, 3);
    for (Command order :
        new Command[] {new Command.Retry(third, ""), new Command.Conclude(third, PAID, "paid")})
      assertThat(shell.tell(order))
          .isInstanceOfSatisfying(
              Reply.NotOpen.class, reply -> assertThat(reply.why()).contains("never made"));
    assertThat(shell.state().standsStillFor(A)).isTrue();
  }

  @Test
  void whyItIsTriedAgainStandsWithTheIncident() {
    Shell shell = standing();
    shell.tell(new Command.Retry(shell.seen(A), "the bank has no such payment"));
    assertThat(shell.events(Event.IncidentResolved.class).getFirst().note())
        .isEqualTo("the bank has no such payment");
  }
}
