package dev.tenure.workflow.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.lifecycle.OperationPhase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What each kind of operation says of itself. */
class OperationSpecTest {
  private static final Payload GIVEN = Payload.of("given".getBytes(StandardCharsets.UTF_8));
  private static final WorkflowId OTHER = new WorkflowId("other");
  private static final OperationId PIVOT = OperationId.of("", "pivot", 1);
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private static OperationSpec.Child child(Optional<Integer> version) {
    return new OperationSpec.Child(
        OTHER, "billing", version, GIVEN, ParentClosePolicy.CANCEL, Optional.empty(), Map.of());
  }

  private static OperationSpec.Message message(MessageContent content) {
    return new OperationSpec.Message(OTHER, content);
  }

  private static final List<OperationSpec> ONE_OF_EACH =
      List.of(
          OperationSpec.Step.DEFAULT,
          new OperationSpec.Activity("charge", GIVEN, RetryPolicy.DEFAULT, Timeouts.DEFAULT),
          new OperationSpec.Timer(new Due.After(Duration.ofHours(1))),
          new OperationSpec.SignalWait("paid", Optional.of(Duration.ofHours(2))),
          child(Optional.of(3)),
          message(new MessageContent.Signal("paid", GIVEN)),
          new OperationSpec.Value(GIVEN),
          new OperationSpec.Cycle(PIVOT));

  @Test
  void everyKindIsHere() {
    Set<OperationKind> kinds = EnumSet.noneOf(OperationKind.class);
    for (OperationSpec spec : ONE_OF_EACH) kinds.add(spec.kind());
    assertThat(kinds).containsExactlyInAnyOrder(OperationKind.values());
  }

  @Test
  void everyKindBeginsWithARowOfTheLifecycle() {
    for (OperationSpec spec : ONE_OF_EACH)
      assertThat(OperationPhase.TABLE.require(OperationPhase.NEW, spec.begins(), spec))
          .isNotEqualTo(OperationPhase.NEW);
  }

  @Test
  void whatItCarriesIsCounted() {
    assertThat(ONE_OF_EACH.stream().filter(spec -> spec.payload().equals(GIVEN)))
        .extracting(OperationSpec::kind)
        .containsExactly(
            OperationKind.ACTIVITY,
            OperationKind.CHILD,
            OperationKind.MESSAGE,
            OperationKind.VALUE);
    assertThat(
            message(new MessageContent.ChildEnded(PIVOT, new Outcome.Succeeded(GIVEN))).payload())
        .isEqualTo(GIVEN);
    assertThat(message(new MessageContent.Cancel("enough")).payload()).isEqualTo(Payload.NONE);
  }

  @Test
  void timeAloneEndsWaits() {
    assertThat(ONE_OF_EACH)
        .filteredOn(OperationSpec.Awaited.class::isInstance)
        .extracting(spec -> ((OperationSpec.Awaited) spec).until(NOON))
        .containsExactly(
            Optional.of(NOON.plus(Duration.ofHours(1))),
            Optional.of(NOON.plus(Duration.ofHours(2))));
    assertThat(new OperationSpec.SignalWait("paid", Optional.empty()).until(NOON)).isEmpty();
  }

  @Test
  void aForkIsComparedByWhatDoesNotComeFromItsId() {
    assertThat(comparedInForks(child(Optional.of(3))))
        .containsExactly("child type", "child version");
    assertThat(comparedInForks(message(new MessageContent.Signal("paid", GIVEN))))
        .containsExactly("message", "signal");
    assertThat(comparedInForks(ONE_OF_EACH.get(1))).containsExactly("activity");
  }

  @Test
  void aVersionThatIsChosenLaterIsNoPartOfIt() {
    assertThat(child(Optional.empty()).identity())
        .extracting(IdentityPart::name)
        .containsExactly("child type", "child id", "input");
  }

  private static List<String> comparedInForks(OperationSpec spec) {
    return spec.identity().stream()
        .filter(part -> part instanceof IdentityPart.Text text && text.comparedInForks())
        .map(IdentityPart::name)
        .toList();
  }
}
