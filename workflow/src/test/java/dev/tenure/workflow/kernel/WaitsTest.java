package dev.tenure.workflow.kernel;

import static dev.tenure.workflow.kernel.Script.op;
import static dev.tenure.workflow.kernel.Script.par;
import static dev.tenure.workflow.kernel.Script.race;
import static dev.tenure.workflow.kernel.Script.seq;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.operation.Due;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec.SignalWait;
import dev.tenure.workflow.operation.OperationSpec.Step;
import dev.tenure.workflow.operation.OperationSpec.Timer;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WaitsTest {
  private static final Script.Part HOUR = op("hour", new Timer(new Due.After(Duration.ofHours(1))));

  private static Script.Part signal(String name) {
    return op(name, new SignalWait(name, Optional.empty()));
  }

  private static Script.Part signal(String name, Duration timeout) {
    return op(name, new SignalWait(name, Optional.of(timeout)));
  }

  private static Command.Signals signals(Command.Arrival... arrivals) {
    return new Command.Signals(List.of(arrivals));
  }

  private static Command several(Command... commands) {
    return new Command.Several(List.of(commands));
  }

  private static Command.NoSignal noSignal(String... waits) {
    return new Command.NoSignal(Stream.of(waits).map(OperationId::new).toList());
  }

  // --- timers

  @Test
  void aTimerFiresOnceAndNeverEarly() {
    Shell shell = Shell.started(HOUR);
    assertThat(shell.state().status()).isEqualTo(Status.WAITING);
    assertThat(shell.state().wakeAt()).isEqualTo(new Wake.At(Shell.EPOCH.plusSeconds(3600)));
    shell.now = Shell.EPOCH.plusSeconds(3600).minusNanos(1);
    assertThat(shell.due()).isNull();
    shell.now = Shell.EPOCH.plusSeconds(3600);
    shell.due();
    assertThat(shell.due()).isNull();
    assertThat(shell.events(Event.Completed.class)).hasSize(1);
    assertThat(shell.state().status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void aTimerAtAnInstantOfThePastFiresAtOnce() {
    Shell shell = Shell.started(op("t", new Timer(new Due.At(Shell.EPOCH.minusSeconds(1)))));
    shell.due();
    assertThat(shell.state().status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void aCancelledTimerNeverFires() {
    Shell shell = Shell.started(seq(race(HOUR, signal("go")), signal("end")));
    shell.signal("go", 1);
    assertThat(shell.events(Event.Abandoned.class)).hasSize(1);
    shell.advance(Duration.ofHours(2));
    assertThat(shell.due()).isNull();
    assertThat(shell.state().wakeAt()).isEqualTo(Wake.NEVER);
  }

  @Test
  void aTimerIsNotEarlyWhenTheClockGoesBack() {
    Shell shell = Shell.started(HOUR);
    Instant due = shell.state().nextDue().orElseThrow();
    shell.now = Shell.EPOCH.minusSeconds(7200);
    assertThat(shell.due()).isNull();
    shell.tell(new Command.Pause("x"));
    assertThat(shell.state().at()).as("the workflow's time never goes back").isEqualTo(Shell.EPOCH);
    assertThat(shell.state().pauseReason()).contains("x");
    shell.tell(new Command.Resume());
    assertThat(shell.state().nextDue()).contains(due);
  }

  @Test
  void manyTimersAreTakenInBoundedCommits() {
    Script.Part[] timers = new Script.Part[Limits.DUE_PER_COMMIT_MAX + 1];
    for (int at = 0; at < timers.length; at++) timers[at] = HOUR;
    Shell shell = Shell.started(par(timers));
    shell.advance(Duration.ofHours(1));
    shell.due();
    assertThat(shell.events(Event.Completed.class)).hasSize(Limits.DUE_PER_COMMIT_MAX);
    assertThat(shell.state().nextDue()).isPresent();
    shell.due();
    assertThat(shell.state().status()).isEqualTo(Status.COMPLETED);
  }

  // --- signals

  @Test
  void aSignalIsLookedForWhenSomebodyBeginsToWait() {
    Shell shell = Shell.started(signal("go"));
    assertThat(shell.effects(Effect.LookForSignal.class))
        .containsExactly(new Effect.LookForSignal(new OperationId("go#1"), "go"));
    assertThat(shell.state().awaitsSignal("go")).isTrue();
    assertThat(shell.state().wakeAt()).isEqualTo(Wake.NEVER);
  }

  @Test
  void signalsOfOneNameAreConsumedInAcceptanceOrder() {
    Shell shell = Shell.started(seq(signal("go"), signal("go"), signal("go")));
    Command.Arrival[] arrivals = {
      Shell.arrival("go", 3), Shell.arrival("go", 5), Shell.arrival("go", 9)
    };
    shell.tell(signals(arrivals));
    assertThat(shell.events(Event.SignalConsumed.class)).hasSize(1);
    shell.tell(signals(arrivals));
    shell.tell(signals(arrivals[2]));
    assertThat(shell.result()).isEqualTo("go#1=s3;go#2=s5;go#3=s9;");
  }

  @Test
  void severalWaitingTakeSeveralSignalsInOneCommit() {
    Shell shell = Shell.started(par(signal("go"), signal("go"), signal("other")));
    shell.tell(signals(Shell.arrival("go", 1), Shell.arrival("other", 2), Shell.arrival("go", 3)));
    assertThat(shell.history).hasSize(2);
    assertThat(shell.result()).isEqualTo("go#1=s1;other#1=s2;go#2=s3;");
  }

  @Test
  void aSignalIsConsumedOnceHoweverOftenItIsSeen() {
    Shell shell = Shell.started(seq(signal("go"), signal("go")));
    shell.signal("go", 4);
    assertThat(shell.signal("go", 4)).isNull();
    assertThat(shell.signal("go", 3)).as("behind what was consumed").isNull();
    assertThat(shell.events(Event.SignalConsumed.class)).hasSize(1);
  }

  @Test
  void aSignalNobodyWaitsForIsLeftWhereItIs() {
    Shell shell = Shell.started(signal("go"));
    assertThat(shell.signal("other", 1)).isNull();
    assertThat(shell.admission).isInstanceOf(Admission.Ignored.class);
    assertThat(shell.history).hasSize(1);
  }

  @Test
  void signalsOutOfOrderAreADefectOfTheReader() {
    Shell shell = Shell.started(signal("go"));
    assertThatThrownBy(() -> shell.tell(signals(Shell.arrival("go", 2), Shell.arrival("go", 1))))
        .hasMessageContaining("I14");
  }

  @Test
  void aSignalAndItsTimeoutAreDecidedByWhoComesFirst() {
    Shell signalled = Shell.started(signal("go", Duration.ofSeconds(5)));
    signalled.advance(Duration.ofSeconds(5));
    signalled.tell(several(signals(Shell.arrival("go", 1)), noSignal("go#1")));
    assertThat(signalled.result()).isEqualTo("go#1=s1;");
    Shell timedOut = Shell.started(signal("go", Duration.ofSeconds(5)));
    timedOut.advance(Duration.ofSeconds(5));
    timedOut.tell(several(noSignal("go#1"), signals(Shell.arrival("go", 1))));
    assertThat(timedOut.result()).isEqualTo("go#1=TimedOut;");
    assertThat(timedOut.events(Event.SignalConsumed.class)).isEmpty();
  }

  /** A signal that was accepted in time may stand in the inbox; everything else is due. */
  @Test
  void aWaitTimesOutOnlyWhenTheInboxWasLookedIntoAfterItsTimeWasOver() {
    Duration limit = Duration.ofSeconds(5);
    Shell shell =
        Shell.started(par(op("pause", new Timer(new Due.After(limit))), signal("go", limit)));
    assertThat(shell.waitsDue()).isEmpty();
    shell.tell(noSignal("go#1"));
    assertThat(shell.admission).as("not due yet").isInstanceOf(Admission.Ignored.class);
    shell.advance(limit);
    shell.tell(new Command.Due());
    assertThat(shell.state().operation(new OperationId("pause#1"))).isEmpty();
    shell.tell(new Command.Due());
    assertThat(shell.admission).isInstanceOf(Admission.Ignored.class);
    assertThat(shell.waitsDue()).containsExactly(new OperationId("go#1"));
    shell.tell(noSignal("pause#1", "go#1", "go#1"));
    assertThat(shell.result()).isEqualTo("pause#1=;go#1=TimedOut;");
  }

  /** Whoever looked into the inbox may have done so before it was there again. */
  @Test
  void noWaitTimesOutBesideASignalThatWasGivenBack() {
    Duration limit = Duration.ofSeconds(5);
    SignalWait limited = new SignalWait("go", Optional.of(limit));
    Shell shell =
        Shell.started(
            par(
                race(
                    op("x", new Step(RetryPolicy.DEFAULT, Timeouts.DEFAULT)),
                    op("first", new SignalWait("go", Optional.empty()))),
                op("second", limited),
                signal("other", limit)));
    Command done = new Command.AttemptEnded(new OperationId("x#1"), 1, Outcome.DONE);
    shell.tell(several(done, signals(Shell.arrival("go", 1))));
    assertThat(shell.events(Event.SignalReturned.class)).hasSize(1);
    shell.advance(limit);
    shell.tell(noSignal("second#1", "other#1"));
    assertThat(shell.state().operation(new OperationId("second#1"))).isPresent();
    assertThat(shell.state().operation(new OperationId("other#1"))).isEmpty();
    shell.signal("go", 1);
    assertThat(shell.result()).contains("second#1=s1;").contains("other#1=TimedOut;");
  }

  @Test
  void theWaitsOfAHeldWorkflowAreNotDue() {
    Shell shell = Shell.started(signal("go", Duration.ofSeconds(5)));
    shell.tell(new Command.Pause("a moment"));
    shell.advance(Duration.ofSeconds(6));
    assertThat(shell.waitsDue()).isEmpty();
    shell.tell(noSignal("go#1"));
    assertThat(shell.admission).isInstanceOf(Admission.Ignored.class);
    shell.tell(new Command.Resume());
    assertThat(shell.waitsDue()).containsExactly(new OperationId("go#1"));
  }

  @Test
  void aSignalThatATimedOutWaitLeftGoesToTheNext() {
    Shell shell = Shell.started(seq(signal("go", Duration.ofSeconds(5)), signal("go")));
    shell.advance(Duration.ofSeconds(5));
    shell.due();
    shell.signal("go", 1);
    assertThat(shell.result()).isEqualTo("go#1=TimedOut;go#2=s1;");
  }

  @Test
  void aSignalGoesToWhoWaitsLongest() {
    Shell shell = Shell.started(par(seq(op("a", Step.DEFAULT), signal("go")), signal("go")));
    shell.succeed("a#1", "");
    shell.signal("go", 1);
    shell.signal("go", 2);
    assertThat(shell.result()).isEqualTo("a#1=;go#1=s1;go#2=s2;");
  }
}
