package dev.tenure.sharding.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.task.Tasks;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What polls get of a desk, and what it costs. */
class TaskDeskTest extends DeskFixture {
  // --- polls

  @Test
  void aPollTakesAtOnceWhatIsThere() {
    offer("a", "b", "c");
    assertThat(names(waits(2))).containsExactly("a", "b");
    assertThat(names(desk.take(MAIL, poll(5), Duration.ZERO))).containsExactly("c");
    assertThat(names(desk.take(MAIL, poll(5), Duration.ZERO))).isEmpty();
    assertThat(desk.waiting()).isZero();
  }

  @Test
  void aThousandPollsOfAnIdleQueueCostOneTakeAndOneLookASecond() {
    List<WaitingPoll> all = IntStream.range(0, 1_000).mapToObj(i -> waits(1)).toList();
    assertThat(tasks.takes).isEqualTo(1);
    time.pass(Duration.ofSeconds(50));
    assertThat(tasks.takes).isEqualTo(1);
    assertThat(tasks.looks).isEqualTo(50);
    assertThat(all).allMatch(TaskDeskTest::isOpen);
    // Those that ask anew while others still wait cost nothing either.
    for (int i = 0; i < 100; i++) waits(1);
    assertThat(tasks.takes).isEqualTo(1);
  }

  @Test
  void oneTaskCostsATakeOfOnePollNotOfAllThatWait() {
    List<WaitingPoll> all = IntStream.range(0, 1_000).mapToObj(i -> waits(1)).toList();
    offer("a");
    desk.offered(Set.of(MAIL));
    assertThat(names(all.getFirst())).containsExactly("a");
    // The first one was full, so the next are asked, too; they find nothing and wait on.
    assertThat(tasks.takes).isBetween(2, 4);
    assertThat(all.subList(1, 1_000)).allMatch(TaskDeskTest::isOpen);
  }

  @Test
  void manyTasksReachAllPollsThatWaitEachInItsTurn() {
    List<WaitingPoll> all = IntStream.range(0, 300).mapToObj(i -> waits(1)).toList();
    for (int i = 0; i < 300; i++) offer("task-" + i);
    desk.offered(Set.of(MAIL));
    for (int i = 0; i < 300; i++) assertThat(names(all.get(i))).containsExactly("task-" + i);
    assertThat(tasks.takes).isEqualTo(301);
  }

  @Test
  void aPollWithoutTasksIsAnsweredWhenItsTimeIsOver() {
    WaitingPoll soon = desk.take(MAIL, poll(1), Duration.ofSeconds(2));
    WaitingPoll later = desk.take(MAIL, poll(1), Duration.ofSeconds(20));
    time.pass(Duration.ofMillis(1_900));
    assertThat(isOpen(soon)).isTrue();
    time.pass(TaskDesk.SWEEP_EVERY.multipliedBy(2));
    assertThat(names(soon)).isEmpty();
    assertThat(isOpen(later)).isTrue();
    time.pass(Duration.ofSeconds(20));
    assertThat(names(later)).isEmpty();
    assertThat(desk.waiting()).isZero();
  }

  @Test
  void workThatComesWhileAPollTakesIsNotMissed() {
    calls.hold();
    WaitingPoll poll = waits(1);
    offer("a");
    desk.offered(Set.of(MAIL));
    calls.letGo();
    assertThat(names(poll)).containsExactly("a");
  }

  @Test
  void pollsForOtherActivitiesWaitOn() {
    WaitingPoll other = waits(1, "print");
    WaitingPoll both = waits(1, "print", "send");
    WaitingPoll all = waits(1);
    offer("a");
    desk.offered(Set.of(MAIL));
    assertThat(isOpen(other)).isTrue();
    assertThat(List.of(isOpen(both), isOpen(all))).containsExactlyInAnyOrder(true, false);
    offer("b");
    desk.offered(Set.of(MAIL));
    assertThat(List.of(isOpen(other), isOpen(both), isOpen(all)))
        .containsExactly(true, false, false);
  }

  @Test
  void aPollThatOthersSayNothingAboutTakesByItself() {
    waits(1, "print");
    tasks.takes = 0;
    waits(1, "send");
    assertThat(tasks.takes).isEqualTo(1);
    waits(1, "send");
    assertThat(tasks.takes).isEqualTo(1);
  }

  @Test
  void aLookFindsWorkThatNobodyAnnounced() {
    WaitingPoll poll = waits(1);
    offer("a");
    time.pass(TaskDesk.LOOK_EVERY);
    assertThat(names(poll)).containsExactly("a");
  }

  @Test
  void aLookThatFailsIsMadeAgain() {
    WaitingPoll poll = waits(1);
    offer("a");
    tasks.failure = new StorageException.Unavailable("away", null);
    time.pass(Duration.ofSeconds(5));
    assertThat(isOpen(poll)).isTrue();
    // What is known of the queue is old by now: another poll looks for itself, and hears why not.
    assertThat(waits(1).tasks()).isCompletedExceptionally();
    tasks.failure = new IllegalStateException("a defect");
    time.pass(Duration.ofSeconds(5));
    tasks.failure = null;
    time.pass(TaskDesk.LOOK_EVERY);
    assertThat(names(poll)).containsExactly("a");
  }

  @Test
  void pollsBeyondTheLimitsAreRefusedByName() {
    TaskDesk small = desk(new TaskDesk.Limits(3, 2));
    small.take(MAIL, poll(1), LONG);
    WaitingPoll second = small.take(MAIL, poll(1), LONG);
    assertThatThrownBy(() -> small.take(MAIL, poll(1), LONG))
        .isInstanceOfSatisfying(
            TaskDeskBusyError.class, e -> assertThat(e.limit()).isEqualTo("QUEUE_POLLS_MAX"));
    small.take("print", poll(1), LONG);
    assertThatThrownBy(() -> small.take("scan", poll(1), LONG))
        .isInstanceOfSatisfying(
            TaskDeskBusyError.class, e -> assertThat(e.limit()).isEqualTo("POLLS_MAX"));
    second.withdraw();
    small.take(MAIL, poll(1), LONG);
    assertThat(small.waiting()).isEqualTo(3);
  }

  @Test
  void aPollCannotWaitForEver() {
    assertThatThrownBy(() -> desk.take(MAIL, poll(1), TaskDesk.WAIT_MAX.plusMillis(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aTakeThatFailsFailsItsPollAndNoOther() {
    WaitingPoll waiting = waits(1);
    tasks.failure = new StorageException.Unavailable("away", null);
    assertThat(desk.take(MAIL, poll(1), Duration.ZERO).tasks())
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(StorageException.Unavailable.class);
    assertThat(isOpen(waiting)).isTrue();
    assertThat(desk.waiting()).isEqualTo(1);
  }

  @Test
  void aTakeThatIsNeverAnsweredFailsItsPollInTime() {
    calls.hold();
    offer("a");
    WaitingPoll hanging = desk.take(MAIL, poll(1), Duration.ofSeconds(1));
    time.pass(TaskDesk.TAKE_LIMIT.plusSeconds(2));
    assertThat(hanging.tasks()).isCompletedExceptionally();
    // What it took all the same goes back.
    calls.letGo();
    assertThat(tasks.taken).isEmpty();
  }

  @Test
  void whatIsTakenForAWorkerThatWentAwayGoesToAnother() {
    calls.hold();
    offer("a");
    WaitingPoll gone = waits(1);
    gone.withdraw();
    WaitingPoll other = desk.take(MAIL, poll(1), LONG);
    calls.letGo();
    assertThat(names(gone)).isEmpty();
    assertThat(names(other)).containsExactly("a");
    assertThat(tasks.reports).hasSize(1).allMatch(Tasks.Report.Returned.class::isInstance);
  }

  @Test
  void aWorkerThatWentAwayWhileItWaitedTakesNothing() {
    WaitingPoll gone = waits(1);
    WaitingPoll other = waits(1);
    gone.withdraw();
    offer("a");
    desk.offered(Set.of(MAIL));
    assertThat(names(other)).containsExactly("a");
  }

  @Test
  void closingAnswersAllPollsThatWaitAndThoseThatCome() {
    WaitingPoll waiting = waits(1);
    calls.hold();
    offer("a");
    WaitingPoll taking = desk.take("print", poll(1), LONG);
    desk.close();
    assertThat(names(waiting)).isEmpty();
    assertThat(names(waits(1))).isEmpty();
    calls.letGo();
    assertThat(names(taking)).isEmpty();
    assertThat(calls.closed).isTrue();
    int looks = tasks.looks;
    time.pass(Duration.ofSeconds(10));
    assertThat(tasks.looks).isEqualTo(looks);
    assertThat(time.waiting()).isZero();
  }

  // --- hints

  @Test
  void whatIsOfferedHereIsHintedToTheOthersOnceForSomeMilliseconds() {
    for (int i = 0; i < 100; i++) desk.offered(List.of(MAIL, "print"));
    desk.offered(Set.of());
    assertThat(hints).isEmpty();
    time.pass(MOMENT);
    assertThat(hints).containsExactly(Set.of(MAIL, "print"));
    desk.offered(Set.of(MAIL));
    time.pass(MOMENT);
    assertThat(hints).hasSize(2);
  }

  @Test
  void aHintOfAnotherNodeWakesAPollAndIsNotSentOn() {
    WaitingPoll poll = waits(1);
    offer("a");
    desk.heard(Set.of(MAIL, "unknown"));
    assertThat(names(poll)).containsExactly("a");
    time.pass(MOMENT);
    assertThat(hints).isEmpty();
  }
}
