package dev.tenure.persistence.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.commit.Writers;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.operation.Outcome;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Payloads that are too large for the journal. */
class ApartTest {
  private static final WorkflowId ID = WorkflowId.of("order-7");
  private static final byte[] LARGE = new byte[Payloads.APART_BYTES + 1];

  /** As it is written for ever: see {@link JournalEntryFormatTest}. */
  private static final String GOLDEN =
      "0226292a4dc0c4070000000000000000000000000000000000000000000000000000000000000000"
          + "01070256a180a09a0d959aef3a10636861726765233181f0efe8812081dc9afd2802000135ffffff"
          + "ffffffffffff018180043266304f31be278d06c3bd3eb9aa3e00c59bedec0a890de466568b0b90b0"
          + "e01f0e6f726465722d37";

  private static JournalEntry step(Payload value) {
    Event event =
        new Event.Completed(
            JournalEntrySamples.T,
            JournalEntrySamples.CHARGE,
            new Outcome.Succeeded(value),
            JournalEntrySamples.DIGITS);
    return JournalEntry.next(
        new Authorship(ID, Writers.named("w-1")),
        List.of(event),
        new Head(41, 42),
        new Fence(77, 123_456),
        ChainLink.NONE,
        List.of());
  }

  private static Payload value(JournalEntry entry) {
    Outcome outcome = ((Event.Completed) entry.events().getFirst()).outcome();
    return ((Outcome.Succeeded) outcome).value();
  }

  @Test
  void aLargePayloadLeavesAReferenceInTheStepAndARowBesideIt() {
    JournalEntry entry = step(Payload.of(LARGE));
    assertThat(HexFormat.of().formatHex(entry.bytes())).isEqualTo(GOLDEN);
    assertThat(entry.sideRows()).hasSize(1).allMatch(SideRow.PayloadKept.class::isInstance);
    JournalEntry small = step(Payload.of(new byte[Payloads.APART_BYTES]));
    assertThat(small.sideRows()).isEmpty();
    assertThat(small.bytes().length).isGreaterThan(Payloads.APART_BYTES);
  }

  @Test
  void itIsReadWhenSomebodyNeedsItAndOnlyThen() {
    AtomicInteger loads = new AtomicInteger();
    Payloads store =
        (id, hash) -> {
          loads.incrementAndGet();
          assertThat(id).isEqualTo(ID);
          assertThat(hash).isEqualTo(Payloads.hash(LARGE));
          return LARGE;
        };
    JournalEntry entry = step(Payload.of(LARGE));
    Payload read = value(JournalEntryCodec.decode(entry.bytes(), store));
    assertThat(read.size()).isEqualTo(LARGE.length);
    assertThat(read).isEqualTo(Payload.of(LARGE));
    assertThat(loads).as("nothing was needed but its hash").hasValue(0);
    assertThat(read.bytes()).isEqualTo(LARGE);
    assertThat(step(read).bytes()).as("written again").isEqualTo(entry.bytes());
    assertThat(step(read).sideRows()).as("stored already").isEmpty();
    assertThat(loads).hasValue(1);
    Payload lost = value(JournalEntryCodec.decode(entry.bytes()));
    assertThatThrownBy(lost::bytes).hasMessageContaining("no store");
  }
}
