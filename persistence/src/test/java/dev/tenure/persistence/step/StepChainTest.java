package dev.tenure.persistence.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.serialization.SerializationExtension;
import org.apache.pekko.serialization.Serializers;
import org.junit.jupiter.api.Test;

/** Each step carries the link of the one before, so a history cannot be changed unnoticed. */
class StepChainTest {
  private static List<Step> history(int length) {
    List<Step> steps = new ArrayList<>();
    ChainLink link = ChainLink.NONE;
    for (int version = 1; version <= length; version++) {
      Event event = new Event.Paused(StepSamples.T.plusSeconds(version), "step " + version);
      Step step =
          Step.next(
              List.of(event), new Head(version - 1, version), new Fence(3, 9), link, List.of());
      steps.add(step);
      link = step.link();
    }
    return steps;
  }

  @Test
  void theLinkIsTheHashOfTheLinkBeforeAndTheStoredBytes() throws Exception {
    List<Step> steps = history(2);
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    digest.update(new byte[32]);
    byte[] first = digest.digest(steps.get(0).bytes());
    assertThat(steps.get(0).link().bytes()).isEqualTo(first);
    assertThat(steps.get(1).previous().bytes()).isEqualTo(first);
    digest.update(first);
    assertThat(steps.get(1).link().bytes()).isEqualTo(digest.digest(steps.get(1).bytes()));
    assertThat(steps.get(0).link().toString()).hasSize(64);
  }

  @Test
  void aHistoryReadBackHoldsTogether() {
    List<Step> read = history(5).stream().map(step -> StepCodec.decode(step.bytes())).toList();
    for (int i = 1; i < read.size(); i++) {
      int at = i;
      assertThatCode(() -> read.get(at).requireAfter(read.get(at - 1))).doesNotThrowAnyException();
    }
  }

  @Test
  void nothingGoesPastASeal() {
    Step last = history(3).getLast();
    Step seal = StepCodec.decode(Step.seal(4, new Fence(3, 10), List.of()).bytes());
    assertThatThrownBy(() -> seal.requireAfter(last))
        .isInstanceOf(SealedHistoryError.class)
        .hasMessageContaining("version 4");
    assertThatThrownBy(seal::requireNoSeal).isInstanceOf(SealedHistoryError.class);
    assertThatCode(last::requireNoSeal).doesNotThrowAnyException();
  }

  @Test
  void aStepThatWasChangedLeftOutOrPutInIsFound() {
    List<Step> steps = history(4);
    byte[] bytes = steps.get(1).bytes().clone();
    bytes[bytes.length - 1] ^= 1; // "step 2" becomes "step 3"
    Step changed = StepCodec.decode(bytes);
    assertThat(changed.events()).isNotEqualTo(steps.get(1).events());
    assertThatThrownBy(() -> steps.get(2).requireAfter(changed))
        .isInstanceOf(BrokenChainError.class)
        .hasMessageContaining("at version 3")
        .hasMessageContaining(steps.get(1).link().toString())
        .hasMessageContaining(changed.link().toString());
    assertThatThrownBy(() -> steps.get(3).requireAfter(steps.get(1)))
        .isInstanceOf(BrokenChainError.class);
    assertThatThrownBy(() -> steps.get(2).requireAfter(steps.get(2)))
        .isInstanceOf(BrokenChainError.class);
  }

  @Test
  void theDigitsAreThoseOfTheLastMessage() {
    Event first = new Event.Resumed(StepSamples.T, StepSamples.DIGITS);
    Event last = new Event.Resumed(StepSamples.T, StepSamples.CLOSING);
    Event none = new Event.Closed(StepSamples.T);
    assertThat(StepSamples.step(first, last, none).digits()).contains(StepSamples.CLOSING);
    assertThat(StepSamples.step(none).digits()).isEmpty();
  }

  @Test
  void sideRowsAreNotPartOfTheJournal() {
    SideRow row = new SideRow.SignalConsumed(new WorkflowId("w"), 1);
    Event event = new Event.Closed(StepSamples.T);
    Step with =
        Step.next(List.of(event), new Head(1, 1), new Fence(0, 1), ChainLink.NONE, List.of(row));
    Step without =
        Step.next(List.of(event), new Head(1, 1), new Fence(0, 1), ChainLink.NONE, List.of());
    assertThat(with.sideRows()).containsExactly(row);
    assertThat(with).isEqualTo(without);
    assertThat(StepCodec.decode(with.bytes()).sideRows()).isEmpty();
  }

  @Test
  void pekkoFindsTheSerializerAndStoresTheVeryBytes() {
    ActorSystem system = ActorSystem.create("step-serializer");
    try {
      var serialization = SerializationExtension.get(system);
      Step step = StepSamples.usual();
      var serializer = serialization.findSerializerFor(step);
      assertThat(serializer).isInstanceOf(StepSerializer.class);
      assertThat(serializer.toBinary(step)).isSameAs(step.bytes());
      String manifest = Serializers.manifestFor(serializer, step);
      assertThat(manifest).isEqualTo("s");
      Object read =
          serialization.deserialize(step.bytes(), StepSerializer.IDENTIFIER, manifest).get();
      assertThat(read).isEqualTo(step);
      assertThatThrownBy(
              () ->
                  new StepSerializer(dev.tenure.persistence.payload.Payloads.NONE)
                      .fromBinary(step.bytes(), "t"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'t'");
    } finally {
      system.terminate();
    }
  }
}
