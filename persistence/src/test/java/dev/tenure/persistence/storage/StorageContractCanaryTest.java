package dev.tenure.persistence.storage;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.memory.MemoryStorage;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A storage that compares nothing must not get through the contract, or the contract is blind. */
class StorageContractCanaryTest {
  private static final class Unconditional extends StorageContract {
    private final SettableClock clock = new SettableClock();
    private final MemoryStorage storage = MemoryStorage.withoutConditionalBatch(clock);

    @Override
    public Storage storage() {
      return storage;
    }

    @Override
    public void passTime(Duration time) {
      clock.advance(time);
    }

    @Override
    public void loseAnswer(String workflowId, String signalId) {
      throw new UnsupportedOperationException();
    }
  }

  private record Promise(String name, Consumer<StorageContract> keep) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Promise> promises() {
    return List.of(
        new Promise("fence", StorageContract::anOwnerThatWasReplacedIsFenced),
        new Promise("unclaimed", StorageContract::aShardThatNobodyClaimedIsFenced),
        new Promise("gap", StorageContract::aVersionIsStoredOnlyAfterTheOneBeforeIt),
        new Promise("once", StorageContract::aVersionIsWrittenOnce),
        new Promise("400 fenced", StorageContract::oneFencedCommitAmong400LeavesTheOthersAlone),
        new Promise("400 conflict", StorageContract::oneConflictAmong400LeavesTheOthersAlone),
        new Promise("two owners", StorageContract::ofTwoOwnersExactlyOneWritesAVersion),
        new Promise(
            "two writers", StorageContract::ofTwoWritersUnderOneEpochExactlyOneWritesAVersion),
        new Promise("model", StorageContract::aRandomHistoryIsAnsweredAsByTheModel));
  }

  @ParameterizedTest
  @MethodSource("promises")
  void anUnconditionalStorageBreaks(Promise promise) {
    assertThatThrownBy(() -> promise.keep().accept(new Unconditional()))
        .isInstanceOf(AssertionError.class);
  }
}
