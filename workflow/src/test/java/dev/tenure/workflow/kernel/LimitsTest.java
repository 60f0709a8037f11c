package dev.tenure.workflow.kernel;

import static dev.tenure.workflow.kernel.Script.op;
import static dev.tenure.workflow.kernel.Script.seq;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.workflow.LimitExceededException;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.collation.ActivityLedger;
import dev.tenure.workflow.collation.GuidLedger;
import dev.tenure.workflow.operation.Due;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec.SignalWait;
import dev.tenure.workflow.operation.OperationSpec.Step;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** At each limit, and one past it. */
class LimitsTest {
  private static final Script.Part A = op("a", Step.DEFAULT);

  @Test
  void signalsOfBoundedlyManyNamesAreReceived() {
    Script.Part[] waits = new Script.Part[Limits.SIGNAL_NAMES_MAX + 2];
    for (int at = 0; at < waits.length; at++) {
      // One name comes twice, which is not one more.
      int name = at < 2 ? 0 : at - 1;
      waits[at] = op("wait", new SignalWait("s" + name, Optional.empty()));
    }
    Shell shell = Shell.started(seq(waits));
    shell.signal("s0", 1);
    for (int name = 0; name < Limits.SIGNAL_NAMES_MAX - 1; name++)
      shell.signal("s" + name, name + 2);
    assertThat(shell.state().awaitsSignal("s" + (Limits.SIGNAL_NAMES_MAX - 1))).isTrue();
    assertThat(shell.state().incident()).isEmpty();
    shell.signal("s" + (Limits.SIGNAL_NAMES_MAX - 1), 100_000);
    assertThat(shell.state().incident().orElseThrow().message())
        .contains("SIGNAL_NAMES_MAX = 1000");
  }

  @Test
  void reasonsAreBounded() {
    String largest = "r".repeat(Command.REASON_BYTES_MAX);
    assertThat(new Command.Terminate(largest).reason()).isEqualTo(largest);
    assertThat(new Command.Cancel("").reason()).isEmpty();
    assertThatThrownBy(() -> new Command.Terminate(largest + "r"))
        .isInstanceOf(LimitExceededException.class)
        .hasMessageContaining("4097 is past the limit REASON_BYTES_MAX = 4096");
  }

  @Test
  void idsOfUpdatesAreBounded() {
    String largest = "u".repeat(Command.Update.ID_BYTES_MAX);
    assertThat(new Command.Update(largest, "n", Payload.NONE).updateId()).isEqualTo(largest);
    assertThatThrownBy(() -> new Command.Update(largest + "u", "n", Payload.NONE))
        .hasMessageContaining("129 bytes");
  }

  @Test
  void timersAreWithinWhatCanBeWrittenDown() {
    assertThat(new Due.At(Due.At.LATEST).from(Shell.EPOCH)).isEqualTo(Due.At.LATEST);
    assertThatThrownBy(() -> new Due.At(Due.At.LATEST.plusSeconds(1)))
        .hasMessageContaining("+10000-01-01");
    assertThatThrownBy(() -> new Due.At(Due.At.EARLIEST.minusSeconds(1)))
        .hasMessageContaining("0001-01-01");
    assertThatThrownBy(() -> new Due.After(Duration.ofSeconds(-1))).hasMessageContaining("PT-1S");
    assertThatThrownBy(() -> new Due.After(Duration.ofDays(3_651))).hasMessageContaining("0 to");
  }

  @Test
  void aLongHistoryIsSaidAndGoesOn() {
    Shell shell = Shell.started(A);
    while (shell.state().eventCount() < Limits.HISTORY_EVENTS_WARNING) change(shell);
    assertThat(shell.state().isHistoryLong()).isFalse();
    change(shell);
    assertThat(shell.state().isHistoryLong()).isTrue();
    shell.succeed("a#1", "still");
    assertThat(shell.result()).isEqualTo("a#1=still;");
  }

  private static void change(Shell shell) {
    shell.evolve(new Event.AttributesChanged(shell.now, Map.of()));
  }

  @Test
  void aRunWhoseCounterIsAlmostFullTakesNoOrdersButItsEnd() {
    Shell shell = Shell.started(A);
    ActivityLedger almost = new ActivityLedger(1_100_099_999_000L);
    shell.evolve(
        new Event.CodeRevised(
            shell.now, new Digits(almost, GuidLedger.LEG1, shell.state().semaphore())));
    Reply.LimitReached reply = (Reply.LimitReached) shell.tell(new Command.Cancel("no"));
    assertThat(reply.limit()).isEqualTo("LEG2_ENTRIES");
    shell.tell(
        new Command.AttemptEnded(new OperationId("a#1"), 1, new Outcome.Succeeded(Payload.NONE)));
    assertThat(shell.state().status()).as("its own work goes on").isEqualTo(Status.COMPLETED);
  }
}
