package dev.tenure.sharding.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.signal.InboxRead;
import dev.tenure.persistence.signal.PendingSignal;
import dev.tenure.persistence.signal.Signal;
import dev.tenure.persistence.signal.SignalResult;
import dev.tenure.persistence.signal.Signals;
import dev.tenure.sharding.workflow.TestNode;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A storage that fails in a way that nobody foresaw. */
class InboxReaderTest {
  private final AtomicInteger calls = new AtomicInteger();

  private final Signals signals =
      new Signals() {
        @Override
        public List<List<PendingSignal>> pending(List<InboxRead> reads) {
          if (calls.getAndIncrement() == 0)
            throw new IllegalStateException("The first call fails.");
          return reads.stream().map(read -> List.<PendingSignal>of()).toList();
        }

        @Override
        public List<SignalResult> accept(List<Signal> accepted, Duration retention) {
          throw new UnsupportedOperationException("accept");
        }

        @Override
        public List<List<PendingSignal>> unconsumed(List<InboxRead> reads) {
          throw new UnsupportedOperationException("unconsumed");
        }

        @Override
        public int purgeAnswers(int limit) {
          throw new UnsupportedOperationException("purgeAnswers");
        }
      };

  @Test
  void itGoesOnReadingForThoseWhoAskedAndForOthers() throws Exception {
    try (InboxReader reader = new InboxReader(signals, 100)) {
      CompletableFuture<List<PendingSignal>> first = new CompletableFuture<>();
      CompletableFuture<List<PendingSignal>> second = new CompletableFuture<>();
      reader.read(WorkflowId.of("first"), 0, first::complete);
      assertThat(first.get(TestNode.SOON.toSeconds(), TimeUnit.SECONDS)).isEmpty();
      reader.read(WorkflowId.of("second"), 0, second::complete);
      assertThat(second.get(TestNode.SOON.toSeconds(), TimeUnit.SECONDS)).isEmpty();
    }
    assertThat(calls).hasValue(3);
  }
}
