package dev.tenure.persistence.entry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.codec.BinaryWriter;
import dev.tenure.persistence.codec.OutcomeCodec;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.Writers;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Sizes;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A size that is relied on is never below what is written. */
class SizesTest {
  private static final long SEED = Long.getLong("tenure.seed", 20261119L);

  private static String text(Random random, int charsMax) {
    int chars = random.nextInt(charsMax + 1);
    int kind = random.nextInt(5);
    StringBuilder text = new StringBuilder(chars);
    for (int i = 0; i < chars; i++)
      text.append(
          switch (kind) {
            case 0 -> (char) ('a' + random.nextInt(26));
            case 1 -> (char) (0x80 + random.nextInt(0x780));
            case 2 -> (char) (0x800 + random.nextInt(0x5000));
            // Lone surrogates, which have no form in UTF-8, alone and in plain text.
            case 3 -> (char) (0xd800 + random.nextInt(0x800));
            default -> i == 0 ? (char) 0xd800 : 'a';
          });
    return text.toString();
  }

  private static Failure failure(Random random, int depth) {
    return new Failure(
        text(random, 600),
        text(random, 5_000),
        random.nextBoolean() ? Optional.of(text(random, 300)) : Optional.empty(),
        random.nextBoolean(),
        text(random, 10_000),
        depth > 0 && random.nextBoolean()
            ? Optional.of(failure(random, depth - 1))
            : Optional.empty());
  }

  private static Outcome outcome(Random random) {
    return switch (random.nextInt(5)) {
      case 0 -> new Outcome.Succeeded(Payload.of(new byte[random.nextInt(200_000)]));
      case 1 -> new Outcome.Cancelled(text(random, 4_096));
      case 2 -> new Outcome.Terminated(text(random, 4_096));
      case 3 -> new Outcome.TimedOut(text(random, 4_096));
      default -> new Outcome.Failed(failure(random, 8));
    };
  }

  @Test
  void anOutcomeIsNeverLargerThanItsBound() {
    Random random = new Random(SEED);
    for (int i = 0; i < 3_000; i++) {
      Outcome outcome = outcome(random);
      BinaryWriter out = new BinaryWriter(64);
      OutcomeCodec.outcome(out, outcome);
      assertThat(Sizes.bytesMax(outcome))
          .as("seed %d, outcome %d", SEED, i)
          .isGreaterThanOrEqualTo(out.toBytes().length);
    }
  }

  /** A fork is counted before it is made. */
  @Test
  void aRequestIsNeverLargerThanItsBound() {
    WorkflowId id = WorkflowId.of("sizes");
    for (OperationSpec spec :
        List.of(
            ActivitySamples.longest(true),
            ActivitySamples.longest(false),
            ActivitySamples.keyed())) {
      Event event =
          new Event.Scheduled(
              JournalEntrySamples.T,
              JournalEntrySamples.CHARGE,
              spec,
              JournalEntrySamples.DIGITS.activity());
      int bytes =
          JournalEntry.encode(
                  new Authorship(id, Writers.named("w-1")),
                  List.of(event),
                  new Head(1, 1),
                  new Fence(3, 1),
                  ChainLink.NONE)
              .bytes();
      long bound = 256 + Sizes.requestBytes(event) + Sizes.payloadBytes(event);
      assertThat(bound).isGreaterThanOrEqualTo(bytes);
    }
  }

  /** The size by which an owner decides whether a commit can be made is that of its bytes. */
  @Test
  void aStepIsAsLargeAsItSaysBeforeItIsMade() {
    Random random = new Random(SEED);
    List<Event> all = List.copyOf(JournalEntrySamples.events().values());
    WorkflowId id = WorkflowId.of("sizes");
    for (int i = 0; i < 1_000; i++) {
      List<Event> events = new ArrayList<>();
      for (int n = random.nextInt(40); n >= 0; n--) events.add(all.get(random.nextInt(all.size())));
      Head head = new Head(random.nextInt(1_000), random.nextInt(1_000) + 1);
      JournalEntry.Encoded encoded =
          JournalEntry.encode(
              new Authorship(id, Writers.named("w-1")),
              events,
              head,
              new Fence(3, random.nextInt(99) + 1),
              ChainLink.NONE);
      assertThat(encoded.bytes())
          .as("seed %d, step %d", SEED, i)
          .isEqualTo(encoded.with(List.of()).bytes().length);
    }
  }
}
