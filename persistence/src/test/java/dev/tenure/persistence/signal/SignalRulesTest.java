package dev.tenure.persistence.signal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.memory.MemoryStorage;
import dev.tenure.persistence.storage.SettableClock;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a signal may be is decided where it is made. */
class SignalRulesTest {
  private static final WorkflowId ID = new WorkflowId("w");
  private static final Payload SECRET = SignalWords.payload("secret");

  private static Signal signal(String name, String id) {
    return new Signal(ID, name, id, Signal.Identity.GIVEN, SECRET);
  }

  @Test
  void anIdHasUpTo128BytesOfUtf8() {
    for (String id : List.of("x", "x".repeat(128), "é".repeat(64), "\ud83d\ude00".repeat(32))) {
      assertThatCode(() -> signal("n", id)).doesNotThrowAnyException();
    }
    for (String id : List.of("", "x".repeat(129), "é".repeat(65), "\ud83d\ude00".repeat(33))) {
      assertThatThrownBy(() -> signal("n", id))
          .isInstanceOf(InvalidSignalError.class)
          .hasMessageContaining("signalId")
          .hasMessageNotContaining("secret");
    }
  }

  @Test
  void aNameIsBoundedToo() {
    assertThatCode(() -> signal("n".repeat(Signal.MAX_NAME_BYTES), "s")).doesNotThrowAnyException();
    for (String name : List.of("", "n".repeat(Signal.MAX_NAME_BYTES + 1))) {
      assertThatThrownBy(() -> signal(name, "s"))
          .isInstanceOf(InvalidSignalError.class)
          .hasMessageContaining("signal name");
    }
  }

  @Test
  void aLoneSurrogateIsRefusedAndNulIsNot() {
    for (String text : List.of("a\ud83d", "\ude00", "\ud83da")) {
      assertThatThrownBy(() -> signal("n", text)).hasMessageContaining("lone surrogate");
      assertThatThrownBy(() -> signal(text, "s")).hasMessageContaining("lone surrogate");
    }
    assertThatCode(() -> signal("\0", "\0")).doesNotThrowAnyException();
  }

  @Test
  void aPayloadFitsUpToItsLimit() {
    Payload largest = Payload.of(new byte[Signal.MAX_PAYLOAD_BYTES]);
    Payload larger = Payload.of(new byte[Signal.MAX_PAYLOAD_BYTES + 1]);
    assertThatCode(() -> new Signal(ID, "n", "s", Signal.Identity.GIVEN, largest))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> new Signal(ID, "n", "s", Signal.Identity.GIVEN, larger))
        .isInstanceOf(InvalidSignalError.class)
        .hasMessageContaining(Integer.toString(Signal.MAX_PAYLOAD_BYTES))
        .hasMessageContaining("MAX_PAYLOAD_BYTES");
  }

  @Test
  void aRequestWithoutAnIdGetsAFreshOne() {
    SignalRequest without = new SignalRequest("w", "n", Optional.empty(), SECRET);
    Signal generated = without.toSignal(() -> "fresh");
    assertThat(generated.id()).isEqualTo("fresh");
    assertThat(generated.identity()).isEqualTo(Signal.Identity.GENERATED);
    SignalRequest with = new SignalRequest("w", "n", Optional.of("mine"), SECRET);
    assertThat(with.toSignal(() -> "fresh").identity()).isEqualTo(Signal.Identity.GIVEN);
    SignalRequest toNobody = new SignalRequest("", "n", Optional.of("mine"), SECRET);
    assertThatThrownBy(() -> toNobody.toSignal(() -> "fresh"))
        .isInstanceOf(InvalidSignalError.class)
        .hasMessageContaining("workflow id");
  }

  @Test
  void aStorageWithoutConditionalBatchRefusesIdempotentSignalsBeforeItLooks() {
    MemoryStorage storage = MemoryStorage.withoutConditionalBatch(new SettableClock());
    List<Signal> given = List.of(signal("n", "s"));
    assertThatThrownBy(() -> storage.signals().accept(given, Duration.ofDays(1)))
        .isInstanceOf(SignalCapabilityError.class)
        .hasMessageContaining("conditionalBatch")
        .hasMessageContaining(MemoryStorage.class.getName());
    Signal generated = new Signal(ID, "n", "g", Signal.Identity.GENERATED, SECRET);
    assertThat(storage.signals().accept(List.of(generated), Duration.ofDays(1)))
        .containsExactly(new SignalResult.UnknownWorkflow(ID));
  }
}
