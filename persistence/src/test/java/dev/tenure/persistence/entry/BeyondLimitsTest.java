package dev.tenure.persistence.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.codec.CorruptEntryError;
import dev.tenure.workflow.Admitted;
import dev.tenure.workflow.InvalidTextError;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Limits hold where a value comes in. A stored value that is beyond one is no damage: a release
 * with a higher limit admitted it.
 */
class BeyondLimitsTest {
  @Test
  void whatAReleaseWithHigherLimitsStoredIsRead() {
    Stretched stretched = new Stretched();
    List<String> changed = new ArrayList<>();
    JournalEntrySamples.events()
        .forEach(
            (name, event) -> {
              Event beyond = (Event) stretched.of(event);
              if (!beyond.equals(event)) changed.add(name);
              byte[] bytes = JournalEntrySamples.step(beyond).bytes();
              assertThat(JournalEntryCodec.decode(bytes).events()).as(name).containsExactly(beyond);
            });
    System.out.println(changed.size() + " samples beyond limits, in " + stretched.fields);
    assertThat(changed.size()).isGreaterThan(JournalEntrySamples.events().size() / 2);
    assertThat(stretched.fields)
        .contains(
            "WorkflowId.value",
            "WorkflowType.name",
            "OperationId.value",
            "SignalWait.signal",
            "Activity.activity",
            "OfText.value",
            "OfTexts.values",
            "Timeouts.attempt",
            "After.span",
            "ProgramKind.name");
  }

  @Test
  void atTheDoorTheyHold() {
    String tooLong = "w".repeat(WorkflowId.BYTES_MAX + 1);
    assertThatThrownBy(() -> new WorkflowId(tooLong)).isInstanceOf(InvalidTextError.class);
    WorkflowId stored = Admitted.read(() -> new WorkflowId(tooLong));
    assertThat(stored.value()).isEqualTo(tooLong);
    assertThatThrownBy(() -> new WorkflowId(tooLong))
        .as("and again after a history was read")
        .isInstanceOf(InvalidTextError.class);
  }

  @Test
  void whatIsNoValueAtAllIsDamage() {
    assertThatThrownBy(() -> Admitted.read(() -> new WorkflowId("")))
        .isInstanceOf(InvalidTextError.class);
    byte[] bytes =
        JournalEntrySamples.step(
                new Event.AttemptStarted(JournalEntrySamples.T, JournalEntrySamples.CHARGE, 7))
            .bytes();
    // The operation's id loses what makes it one.
    byte[] changed = bytes.clone();
    for (int i = 0; i < changed.length; i++) if (changed[i] == '#') changed[i] = '.';
    assertThat(changed).isNotEqualTo(bytes);
    assertThatThrownBy(() -> JournalEntryCodec.decode(changed))
        .isInstanceOf(CorruptEntryError.class)
        .hasMessageContaining("has no occurrence");
  }
}
