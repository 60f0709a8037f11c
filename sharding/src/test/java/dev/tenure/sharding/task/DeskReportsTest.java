package dev.tenure.sharding.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.task.TakenTask;
import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What becomes of reports, what owners hear, and what becomes of lost workers. */
class DeskReportsTest extends DeskFixture {
  // --- lost workers

  @Test
  void ownersHearOfLostWorkersAndQueuesOfTasksThatAreBack() {
    WaitingPoll poll = waits(1);
    TaskId one = new TaskId(WorkflowId.of("one"), "run/a#1");
    TaskId two = new TaskId(WorkflowId.of("two"), "run/a#1");
    tasks.expired.add(new Tasks.Expired(List.of(one), Set.of()));
    tasks.expired.add(new Tasks.Expired(List.of(two), Set.of(MAIL)));
    offer("back");
    time.pass(TaskDesk.LOOK_EVERY);
    assertThat(looked).containsExactly(one, two);
    // It goes on until there is nothing more.
    assertThat(tasks.expiries).isEqualTo(3);
    assertThat(names(poll)).containsExactly("back");
    time.pass(MOMENT);
    assertThat(hints).containsExactly(Set.of(MAIL));
  }

  @Test
  void thousandsOfLostWorkersAreWorkedOffInBoundedPieces() {
    TaskId lost = new TaskId(WorkflowId.of("lost"), "run/a#1");
    for (int i = 0; i < 50; i++) tasks.expired.add(new Tasks.Expired(List.of(lost), Set.of()));
    time.pass(TaskDesk.LOOK_EVERY);
    assertThat(tasks.expiries).isEqualTo(20);
    time.pass(TaskDesk.LOOK_EVERY.multipliedBy(2));
    assertThat(looked).hasSize(50);
  }

  // --- reports

  @Test
  void theOwnerHearsOfAnOutcomeThatIsDurable() {
    TakenTask task = one("a");
    Tasks.Report done =
        new Tasks.Report.Ended(
            task.token(), new Outcome.Succeeded(Payload.of("1".getBytes(StandardCharsets.UTF_8))));
    assertThat(heard(done)).containsExactly(new Tasks.Heard.Recorded());
    assertThat(ended).hasSize(1);
    assertThat(ended.getFirst().id()).isEqualTo(task.offer().id());
    Payload result = ((Outcome.Succeeded) ended.getFirst().outcome()).value();
    assertThat(text(result)).as("as it is stored").isEqualTo("<1>");
  }

  private List<Tasks.Heard> heard(Tasks.Report... reports) {
    var stage = desk.hear(List.of(reports));
    assertThat(stage).isCompleted();
    return stage.toCompletableFuture().join();
  }

  @Test
  void aReportThatIsRejectedChangesNothing() {
    TakenTask task = one("a");
    Tasks.Report done = new Tasks.Report.Ended(task.token(), Outcome.DONE);
    heard(done);
    ended.clear();
    assertThat(
            heard(done, new Tasks.Report.Alive(task.token(), Optional.empty(), Optional.empty())))
        .hasSize(2)
        .allMatch(Tasks.Heard.Rejected.class::isInstance);
    assertThat(ended).isEmpty();
    assertThat(heard()).isEmpty();
  }

  @Test
  void anOwnerThatCannotBeToldHoldsUpNoWorker() {
    TakenTask task = one("a");
    deafOwner = new IllegalStateException("no owner");
    assertThat(heard(new Tasks.Report.Ended(task.token(), Outcome.DONE)))
        .containsExactly(new Tasks.Heard.Recorded());
  }

  @Test
  void detailsAreStoredAsTheyWereReceived() {
    TakenTask task = one("a");
    Payload half = Payload.of("50".getBytes(StandardCharsets.UTF_8));
    heard(new Tasks.Report.Alive(task.token(), Optional.empty(), Optional.of(half)));
    Tasks.Report.Alive stored = (Tasks.Report.Alive) tasks.reports.getLast();
    assertThat(text(stored.details().orElseThrow())).isEqualTo("<50>");
  }

  @Test
  void theEndOfACallLetsAPollTakeThatWaitedForTheLimit() {
    tasks.offer(PlainTasks.task("a", MAIL, "send", Optional.of(1)));
    TakenTask first = now(desk.take(MAIL, poll(1), LONG).tasks()).getFirst();
    WaitingPoll next = waits(1);
    tasks.offer(PlainTasks.task("b", MAIL, "send", Optional.of(1)));
    heard(new Tasks.Report.Ended(first.token(), Outcome.DONE));
    assertThat(isOpen(next)).isTrue();
    time.pass(Duration.ofMillis(50));
    assertThat(names(next)).containsExactly("b");
  }

  @Test
  void theEndOfACallWithoutLimitsCostsNoLook() {
    TakenTask first = one("a");
    waits(1);
    heard(new Tasks.Report.Ended(first.token(), Outcome.DONE));
    time.pass(Duration.ofMillis(50));
    assertThat(tasks.looks).isZero();
  }

  @Test
  void aTaskThatIsGivenBackIsTakenSoon() {
    TakenTask first = one("a");
    WaitingPoll other = waits(1);
    heard(new Tasks.Report.Returned(first.token()));
    time.pass(Duration.ofMillis(50));
    assertThat(names(other)).containsExactly("a");
  }
}
