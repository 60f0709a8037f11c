package dev.tenure.persistence.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.storage.PostgresStorage;
import dev.tenure.persistence.storage.PostgresStoreUnderTest;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.persistence.visibility.WorkflowChange;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.persistence.visibility.WorkflowWords;
import dev.tenure.workflow.kernel.Status;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What was at work when nodes were lost is counted, once for each, until it makes progress. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RecoveriesTest implements PostgresStoreUnderTest, WorkflowWords {
  private TestDatabase database;
  private PostgresStorage storage;

  @BeforeAll
  void open() {
    database = TestDatabase.migrated();
    storage = PostgresStorage.open(database.settings());
    storage.prepare(TestDatabase.IDENTITY);
  }

  @AfterAll
  void close() {
    storage.close();
    database.close();
  }

  @Override
  public Storage storage() {
    return storage;
  }

  @Override
  public Connection owner() {
    return database.owner();
  }

  private static final Instant PAST = Instant.parse("2020-01-01T00:00:00Z");
  private static final Instant FUTURE = Instant.parse("2120-01-01T00:00:00Z");

  private Recoveries recoveries() {
    return storage().recoveries();
  }

  private WorkflowRow started(Fence fence, Optional<Instant> wakeAt) {
    WorkflowRow row = row(fence.shard(), freshType(), Status.RUNNING, T0);
    if (wakeAt.isPresent()) row = dueAt(row, wakeAt.get());
    startAll(List.of(row), fence);
    return row;
  }

  private static List<Recoveries.Beginning> begins(Fence tenure, boolean lost) {
    return List.of(new Recoveries.Beginning(tenure.shard(), tenure.epoch(), lost));
  }

  private Fence lose(Fence held, boolean toOlaf) {
    return takeOver(held.shard(), toOlaf ? OLAF : NORA);
  }

  @Test
  void onlyWhatWasAtWorkCountsAndEachTenureOnce() {
    Fence first = claim(freshShard(), NORA);
    WorkflowRow atWork = started(first, Optional.of(PAST));
    started(first, Optional.of(FUTURE));
    started(first, Optional.empty());
    assertThat(recoveries().takeOver(begins(first, false))).isEmpty();

    Fence second = lose(first, true);
    Recovery once =
        new Recovery(atWork.id(), first.shard(), second.epoch(), 1, 0, OptionalInt.empty());
    assertThat(recoveries().takeOver(begins(second, true))).containsExactly(once);
    assertThat(recoveries().takeOver(begins(second, true))).containsExactly(once);
    // Whoever lost the shard meanwhile counts nothing.
    assertThat(recoveries().takeOver(begins(first, true))).isEmpty();

    Fence third = lose(second, false);
    assertThat(recoveries().takeOver(begins(third, true)))
        .extracting(Recovery::losses)
        .containsExactly(2);
    String id = atWork.id().value();
    storage().commit(List.of(step(id, 2, third, "w1", RecoveryWrites.progressed(atWork.id()))));
    Fence fourth = lose(third, true);
    assertThat(recoveries().takeOver(begins(fourth, true)))
        .extracting(Recovery::losses)
        .containsExactly(1);
  }

  @Test
  void severalTenuresBeginTogetherAndEachCountsForItself() {
    Fence lost = claim(freshShard(), NORA);
    Fence handedOver = claim(freshShard(), NORA);
    Fence overtaken = claim(freshShard(), NORA);
    WorkflowRow atWork = started(lost, Optional.of(PAST));
    started(handedOver, Optional.of(PAST));
    started(overtaken, Optional.of(PAST));
    Fence newer = lose(lost, true);
    Fence next = lose(handedOver, true);
    lose(overtaken, true);
    assertThat(
            recoveries()
                .takeOver(
                    List.of(
                        new Recoveries.Beginning(newer.shard(), newer.epoch(), true),
                        new Recoveries.Beginning(next.shard(), next.epoch(), false),
                        new Recoveries.Beginning(overtaken.shard(), overtaken.epoch(), true))))
        .containsExactly(
            new Recovery(atWork.id(), lost.shard(), newer.epoch(), 1, 0, OptionalInt.empty()));
  }

  @Test
  void aLossDuringATrialCountsByTheSizeOfItsGroup() {
    Fence first = claim(freshShard(), NORA);
    WorkflowRow tried = started(first, Optional.of(PAST));
    WorkflowRow beside = started(first, Optional.of(PAST));
    Fence second = lose(first, true);
    List<Recovery> known = recoveries().takeOver(begins(second, true));
    Recovery group =
        known.stream().filter(one -> one.workflow().equals(tried.id())).findFirst().orElseThrow();
    assertThat(recoveries().tryTogether(List.of(group), 4)).isEqualTo(1);

    Fence third = lose(second, false);
    List<Recovery> after = recoveries().takeOver(begins(third, true));
    assertThat(after)
        .filteredOn(one -> one.workflow().equals(tried.id()))
        .containsExactly(
            new Recovery(tried.id(), third.shard(), third.epoch(), 2, 0, OptionalInt.of(4)));
    assertThat(after)
        .filteredOn(one -> one.workflow().equals(beside.id()))
        .extracting(Recovery::company)
        .containsExactly(OptionalInt.empty());
    // An owner that lost the shard tries nothing any more.
    assertThat(recoveries().tryTogether(List.of(group), 1)).isZero();

    Recovery again =
        after.stream().filter(one -> one.workflow().equals(tried.id())).findFirst().orElseThrow();
    recoveries().tryTogether(List.of(again), 1);
    Fence fourth = lose(third, true);
    assertThat(recoveries().takeOver(begins(fourth, true)))
        .filteredOn(one -> one.workflow().equals(tried.id()))
        .containsExactly(
            new Recovery(tried.id(), fourth.shard(), fourth.epoch(), 3, 1, OptionalInt.of(1)));
  }

  @Test
  void aTrialThatIsOutlivedOrLeftInOrderSaysNothing() {
    Fence first = claim(freshShard(), NORA);
    WorkflowRow tried = started(first, Optional.of(PAST));
    Fence second = lose(first, true);
    List<Recovery> known = recoveries().takeOver(begins(second, true));
    recoveries().tryTogether(known, 1);
    recoveries().outlived(known);
    Fence third = lose(second, false);
    List<Recovery> after = recoveries().takeOver(begins(third, true));
    assertThat(after).extracting(Recovery::alone).containsExactly(0);
    recoveries().tryTogether(after, 1);
    storage().leases().release(third.shard(), NORA, third.epoch());
    Fence fourth = claim(third.shard(), OLAF);
    assertThat(recoveries().takeOver(begins(fourth, false)))
        .containsExactly(
            new Recovery(tried.id(), fourth.shard(), fourth.epoch(), 2, 0, OptionalInt.empty()));
    // What sleeps when its node is lost had no part in it.
    change(fourth, WorkflowChange.rests(tried.id(), Status.WAITING, Optional.of(FUTURE), 0));
    Fence fifth = lose(fourth, false);
    assertThat(recoveries().takeOver(begins(fifth, true)))
        .extracting(Recovery::losses)
        .containsExactly(2);
  }
}
