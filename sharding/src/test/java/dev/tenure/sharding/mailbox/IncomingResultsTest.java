package dev.tenure.sharding.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** No more is taken up together than one commit holds, and nothing of the rest is forgotten. */
class IncomingResultsTest {
  private static final int HALF = (int) OwnerLimits.DEFAULT.resultBytesPerCommit() / 2;

  private final AtomicInteger told = new AtomicInteger();
  private final IncomingResults results =
      new IncomingResults(OwnerLimits.DEFAULT, told::incrementAndGet);

  private static Command ended(String name, int bytes) {
    return new Command.AttemptEnded(
        new OperationId(name + "#1"), 1, new Outcome.Succeeded(Payload.of(new byte[bytes])));
  }

  private static Command signals(int bytes) {
    return new Command.Signals(
        List.of(new Command.Arrival("go", 1, "id", Payload.of(new byte[bytes]))));
  }

  @Test
  void whatDoesNotFitBehindTheRestIsTakenNext() {
    Command small = ended("small", 1);
    Command half = ended("half", HALF);
    Command signals = signals(HALF);
    List.of(small, half, signals).forEach(results::add);
    assertThat(told).hasValue(1);
    assertThat(results.take()).containsExactly(small, half);
    assertThat(told).as("the owner looks again").hasValue(2);
    assertThat(results.take()).containsExactly(signals);
    assertThat(told).hasValue(2);
    assertThat(results.take()).isEmpty();
  }

  @Test
  void whatIsLargerByItselfIsTakenAlone() {
    Command large = ended("large", 4 * HALF);
    Command small = ended("small", 1);
    List.of(large, small).forEach(results::add);
    assertThat(results.take()).containsExactly(large);
    assertThat(results.take()).containsExactly(small);
  }

  @Test
  void namesCountToo() {
    String name = "x".repeat(OperationId.BYTES_MAX - 10);
    for (int i = 0; i < OwnerLimits.DEFAULT.resultsPerCommit(); i++)
      results.add(ended(name + i, 1_000));
    assertThat(results.take().size()).isLessThan(OwnerLimits.DEFAULT.resultsPerCommit());
  }
}
