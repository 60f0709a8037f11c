package dev.tenure.sharding.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.entry.Snapshot;
import dev.tenure.persistence.snapshot.Snapshots;
import dev.tenure.persistence.snapshot.StoredSnapshot;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.sharding.snapshot.SnapshotReader.Ignored;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Only a snapshot that the journal agrees with is ever used. */
class SnapshotReaderTest {
  private final StoredLife life = StoredLife.of("a life", 5);
  private final SnapshotReader reader = new SnapshotReader(life.storage);

  private Optional<Snapshot> find() {
    return reader.find(StoredLife.ID, StoredLife.PERSISTENCE_ID, 2);
  }

  private void keep(Snapshot snapshot) {
    assertThat(life.storage.snapshots().keep(snapshot.encode())).isTrue();
  }

  private void assertIgnored(Ignored why) {
    assertThat(find()).isEmpty();
    for (Ignored each : Ignored.values())
      assertThat(reader.ignored(each)).as(each.toString()).isEqualTo(each == why ? 1 : 0);
    assertThat(reader.used()).isZero();
  }

  @Test
  void oneOfTheJournalIsUsedAlsoWhenTheJournalHasGoneOn() {
    Snapshot snapshot = life.snapshot();
    keep(snapshot);
    assertThat(find()).contains(snapshot);
    life.commit();
    assertThat(find()).contains(snapshot);
    assertThat(reader.used()).isEqualTo(2);
  }

  @Test
  void whereThereIsNoneNothingIsIgnored() {
    assertIgnored(null);
  }

  @Test
  void oneThatSparesNothingIsNotLookedAt() {
    keep(life.snapshot());
    assertThat(reader.find(StoredLife.ID, StoredLife.PERSISTENCE_ID, 5)).isEmpty();
    assertThat(reader.used()).isZero();
  }

  @Test
  void oneThatIsDamagedIsIgnored() {
    StoredSnapshot stored = life.snapshot().encode();
    stored.content()[stored.content().length / 2]++;
    life.storage.snapshots().keep(stored);
    assertIgnored(Ignored.DAMAGED);
  }

  @Test
  void oneOfAnotherFormatIsIgnored() {
    StoredSnapshot stored = life.snapshot().encode();
    stored.content()[0]++;
    life.storage.snapshots().keep(stored);
    assertIgnored(Ignored.OTHER_FORMAT);
  }

  /** The journal was restored to a moment before it, or an owner wrote what nobody stored. */
  @Test
  void oneThatIsNewerThanTheJournalIsIgnored() {
    StoredLife further = StoredLife.of("a life", 9);
    keep(further.snapshot());
    assertIgnored(Ignored.NEWER_THAN_JOURNAL);
  }

  @Test
  void oneOfAnEarlierRunIsIgnored() {
    keep(life.snapshot());
    life.renew();
    life.commit();
    assertIgnored(Ignored.OTHER_RUN);
  }

  @Test
  void oneOfTheFirstCommitOfTheRunIsUsed() {
    life.renew();
    Snapshot snapshot = life.snapshot();
    keep(snapshot);
    assertThat(find()).contains(snapshot);
  }

  /** The history was restored from a backup, and has gone on since. */
  @Test
  void oneOfAnotherHistoryIsIgnored() {
    StoredLife another = StoredLife.of("another life", 5);
    keep(another.snapshot());
    life.commit();
    assertIgnored(Ignored.OTHER_HISTORY);
  }

  @Test
  void aStoreThatCannotReadItCostsNothingButTheSnapshot() {
    SnapshotReader away =
        new SnapshotReader(
            new ForwardingStorage(life.storage) {
              @Override
              public Snapshots snapshots() {
                throw new StorageException.Unavailable("away", null);
              }
            });
    assertThat(away.find(StoredLife.ID, StoredLife.PERSISTENCE_ID, 2)).isEmpty();
    assertThat(away.ignored(Ignored.UNREADABLE)).isEqualTo(1);
  }

  @Test
  void oneThatAProgramCannotGoOnFromIsNotUsedAgainButANewerOneIs() {
    keep(life.snapshot());
    reader.distrust(StoredLife.ID, 5, "a new program");
    assertIgnored(Ignored.DISTRUSTED);
    life.commit();
    keep(life.snapshot());
    assertThat(find()).contains(life.snapshot());
  }
}
