package dev.tenure.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.activity.ActivityKey;
import dev.tenure.persistence.activity.ActivityRecord.Verdict;
import dev.tenure.persistence.activity.ActivityStatus;
import dev.tenure.persistence.codec.Apart;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.task.TaskState;
import dev.tenure.persistence.task.Turn;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What stands in the columns, to the byte: rows of this version have to be read by the next. */
class ActivityFormatTest {
  private static final WorkflowId ID = new WorkflowId("order-17");

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  private static Payload value(String text) {
    return Payload.of(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Apart apart() {
    return Apart.besideJournal(ID, 7);
  }

  @Test
  void aResultIsItsLengthAndItsBytes() {
    assertThat(hex(StoredValues.of(value("paid"), apart()))).isEqualTo("0470616964");
    assertThat(StoredValues.payload(bytes("0470616964"), Payloads.NONE)).isEqualTo(value("paid"));
    assertThat(hex(StoredValues.of(Payload.NONE, apart()))).isEqualTo("00");
  }

  @Test
  void aLargeResultIsAReference() {
    Payload large = Payload.of(new byte[Payloads.APART_BYTES + 1]);
    Apart apart = apart();
    String stored = hex(StoredValues.of(large, apart));
    assertThat(stored)
        .isEqualTo(
            "ffffffffffffffffff01" + "818004" + large.fingerprint() + "10" + "6f726465722d3137");
    assertThat(apart.rows()).hasSize(1);
    Payload read = StoredValues.payload(bytes(stored), (id, hash) -> large.bytes());
    assertThat(read).isEqualTo(large);
    assertThat(read.keptBy()).contains("order-17");
    Apart again = apart();
    assertThat(hex(StoredValues.of(read, again))).isEqualTo(stored);
    assertThat(again.rows()).as("it is there").isEmpty();
    assertThat(StoredValues.inFull(large)).hasSize(large.size() + 3);
  }

  /** Some engine with a higher limit has it in its journal, and nowhere else. */
  @Test
  void aLargeValueThatARecordHasInFullStaysInTheRow() {
    Payload inRecord = Payload.inRecord(new byte[Payloads.APART_BYTES + 1]);
    Apart apart = apart();
    assertThat(StoredValues.of(inRecord, apart)).hasSize(inRecord.size() + 3);
    assertThat(apart.rows()).isEmpty();
  }

  @Test
  void anErrorIsAFailureOfTheJournal() {
    Failure failure = Failure.retryable("Busy", "later").with(OutsideEffect.NONE);
    String stored = "1108427573790a6c6174657200010000" + "0102";
    assertThat(hex(StoredValues.of(failure))).isEqualTo(stored);
    assertThat(StoredValues.failure(bytes(stored))).isEqualTo(failure);
  }

  @Test
  void anOutcomeIsOneOfTheJournal() {
    Outcome outcome = new Outcome.Succeeded(value("paid"));
    assertThat(hex(StoredValues.of(outcome, apart()))).isEqualTo("01050470616964");
    assertThat(StoredValues.outcome(bytes("01050470616964"), Payloads.NONE)).isEqualTo(outcome);
  }

  @Test
  void theCallIsAHashOfItsEscapedParts() {
    ActivityKey key = new ActivityKey(ID, "run:1/charge#1", "charge", "order%17\0");
    assertThat(ActivityWrites.call(key))
        .isEqualTo(
            Payloads.hash(
                "run%3A1/charge#1:charge:order%2517%00".getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void turnsAreReadAsTheyWereWritten() {
    List<Turn> turns =
        List.of(
            new Turn(-9, "", Optional.empty()),
            new Turn(3, "tenant", Optional.of(new Turn.Within("charge", "resource/a"))));
    assertThat(TaskTaking.turns(TaskTaking.written(turns))).isEqualTo(turns);
    assertThat(TaskTaking.turns(new byte[0])).isEmpty();
  }

  @Test
  void theWordsOfTheColumnsStay() {
    assertThat(Arrays.stream(ActivityStatus.values()).map(ActivityStatus::word))
        .containsExactly(
            "started", "completed", "failed", "cancelled", "timed-out", "indeterminate");
    assertThat(Arrays.stream(TaskState.values()).map(TaskState::word))
        .containsExactly("waiting", "taken", "lost", "done");
    assertThat(Arrays.stream(Verdict.Word.values()).map(Verdict.Word::word))
        .containsExactly(
            "not-completed",
            "completed-with-result",
            "completed-result-unavailable",
            "indeterminate");
    for (ActivityStatus each : ActivityStatus.values())
      assertThat(ActivityStatus.of(each.word())).isEqualTo(each);
    for (Verdict.Word each : Verdict.Word.values())
      assertThat(Verdict.Word.of(each.word())).isEqualTo(each);
  }
}
