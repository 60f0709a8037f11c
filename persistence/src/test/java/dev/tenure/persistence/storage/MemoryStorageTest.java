package dev.tenure.persistence.storage;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.commit.SideWrite;
import dev.tenure.persistence.signal.MemorySignals;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MemoryStorageTest extends StorageContract {
  private static final SideWrite NOTES = new SideWrite("notes", "", List.of("text", "int8"));

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
    ((MemorySignals) storage.signals()).loseAnswers(workflowId, signalId);
  }

  @Override
  public SideWrite notes() {
    return NOTES;
  }

  @Override
  public List<Long> notesOf(String name) {
    return storage.sideRows("notes").stream()
        .filter(row -> row.get(0).equals(name))
        .map(row -> (Long) row.get(1))
        .toList();
  }

  @Test
  void aPluginThatNeedsSqlIsToldWhichStorageHasNone() {
    DataSource connections = storage.dataSource();
    assertThatThrownBy(connections::getConnection)
        .isInstanceOf(SQLException.class)
        .hasMessageContaining(MemoryStorage.class.getName());
  }

  @Test
  void isNotDurableUnlessThatIsAllowed() {
    assertThatThrownBy(() -> Durability.REQUIRED.require(storage))
        .isInstanceOf(StorageNotDurableError.class);
    assertThatCode(() -> Durability.NOT_REQUIRED.require(storage)).doesNotThrowAnyException();
  }
}
