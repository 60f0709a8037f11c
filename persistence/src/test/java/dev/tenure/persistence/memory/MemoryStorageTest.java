package dev.tenure.persistence.memory;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.storage.Durability;
import dev.tenure.persistence.storage.SettableClock;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageContract;
import dev.tenure.persistence.storage.StorageNotDurableError;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MemoryStorageTest extends StorageContract {
  private final SettableClock clock = new SettableClock();
  private final MemoryStorage storage = MemoryStorage.create(clock);

  @BeforeAll
  void prepare() {
    storage.prepare(IDENTITY);
  }

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
    storage.loseAnswers(workflowId, signalId);
  }

  @Test
  void isNotDurableUnlessThatIsAllowed() {
    assertThatThrownBy(() -> Durability.REQUIRED.require(storage))
        .isInstanceOf(StorageNotDurableError.class);
    assertThatCode(() -> Durability.NOT_REQUIRED.require(storage)).doesNotThrowAnyException();
  }
}
