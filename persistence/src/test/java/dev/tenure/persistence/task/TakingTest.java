package dev.tenure.persistence.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.task.Taking.Choice;
import dev.tenure.persistence.task.Taking.Pick;
import dev.tenure.persistence.task.Tasks.Poll;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which tasks go to which workers, without any storage. */
class TakingTest {
  private static final TaskLimits NONE = new TaskLimits("", Optional.empty(), Optional.empty());

  private static Lane lane(String key, String activity, TaskLimits limits, Long... numbers) {
    return Lane.found(0, key, activity, limits).withRoom(100).with(List.of(numbers), false);
  }

  private static List<Poll> polls(int max) {
    return List.of(new Poll("w", Set.of(), max));
  }

  private static List<Long> numbers(Choice choice) {
    return choice.picks().stream().map(Pick::number).toList();
  }

  @Test
  void theLanesOfOneKeyAreMergedByAge() {
    List<Lane> lanes =
        List.of(lane("", "a", NONE, 1L, 5L), lane("", "b", NONE, 2L, 3L), lane("", "c", NONE, 4L));
    assertThat(numbers(Taking.choose(lanes, false, polls(10)))).containsExactly(1L, 2L, 3L, 4L, 5L);
  }

  /** What was not read may be older than what was: it is read before anything is decided. */
  @Test
  void aLaneThatRanOutIsNamed() {
    Lane cut = lane("", "a", NONE).with(List.of(1L), true);
    List<Lane> lanes = List.of(cut, lane("", "b", NONE, 9L));
    assertThat(Taking.choose(lanes, false, polls(2)).unknown()).containsExactly(cut);
    assertThat(Taking.choose(lanes, false, polls(1)).unknown()).isEmpty();
    List<Lane> read = List.of(cut.with(List.of(1L, 2L), false), lanes.getLast());
    Choice choice = Taking.choose(read, false, polls(2));
    assertThat(numbers(choice)).containsExactly(1L, 2L);
    assertThat(choice.unknown()).isEmpty();
  }

  @Test
  void lanesOfOneScopeShareTheirRoom() {
    TaskLimits limits = new TaskLimits("resource/r", Optional.of(3), Optional.empty());
    Lane one = Lane.found(0, "a", "x", limits).withRoom(3).with(List.of(1L, 2L, 3L), false);
    Lane other = Lane.found(0, "b", "x", limits).withRoom(3).with(List.of(4L, 5L, 6L), true);
    Choice choice = Taking.choose(List.of(one, other), false, polls(10));
    assertThat(numbers(choice)).containsExactly(1L, 4L, 2L);
    assertThat(choice.unknown()).as("there is no room for what was not read").isEmpty();
    assertThat(Taking.begunByScope(choice.picks())).containsEntry("resource/r", 3);
  }

  @Test
  void theNextKeyHasTheNextTurn() {
    List<Lane> lanes =
        List.of(lane("a", "x", NONE, 1L), lane("b", "x", NONE, 2L), lane("c", "x", NONE, 3L));
    assertThat(Taking.choose(lanes, false, polls(2)).turns())
        .containsExactly(new Turn(0, "b", Optional.empty()));
    assertThat(Taking.choose(lanes, true, polls(2)).turns())
        .as("not all had their turn")
        .containsExactly(new Turn(0, "b", Optional.empty()));
  }

  @Test
  void whenNotAllLanesWereLookedAtTheNextCallGoesOnBehindThem() {
    List<Lane> lanes =
        List.of(
            lane("a", "x", new TaskLimits("resource/1", Optional.of(1), Optional.empty()), 1L),
            Lane.found(
                0, "a", "x", new TaskLimits("resource/2", Optional.of(1), Optional.empty())));
    assertThat(Taking.choose(lanes, true, polls(5)).turns())
        .containsExactly(new Turn(0, "a", Optional.of(new Turn.Within("x", "resource/2"))));
    assertThat(Taking.choose(lanes.subList(1, 2), true, polls(5)).turns())
        .as("also when none of them may go")
        .containsExactly(new Turn(0, "a", Optional.of(new Turn.Within("x", "resource/2"))));
    assertThat(Taking.choose(lanes.subList(1, 2), false, polls(5)).turns()).isEmpty();
  }

  @Test
  void onePriorityIsServedBeforeTheNext() {
    Lane high = Lane.found(5, "z", "x", NONE).withRoom(9).with(List.of(8L, 9L), false);
    Lane low = Lane.found(0, "a", "x", NONE).withRoom(9).with(List.of(1L), false);
    Choice choice = Taking.choose(List.of(high, low), false, polls(2));
    assertThat(numbers(choice)).containsExactly(8L, 9L);
    assertThat(choice.turns()).containsExactly(new Turn(5, "z", Optional.empty()));
    assertThat(Taking.merged(List.of(new Turn(0, "q", Optional.empty())), choice.turns()))
        .containsExactlyInAnyOrder(
            new Turn(0, "q", Optional.empty()), new Turn(5, "z", Optional.empty()));
  }

  @Test
  void workersThatCanRunLessGetTheirShareAllTheSame() {
    Long[] many = IntStream.range(0, 20).mapToObj(Long::valueOf).toArray(Long[]::new);
    List<Lane> lanes = List.of(lane("", "x", NONE, many), lane("", "y", NONE, 100L, 101L));
    List<Poll> polls = List.of(new Poll("y only", Set.of("y"), 5), new Poll("any", Set.of(), 5));
    Choice choice = Taking.choose(lanes, false, polls);
    assertThat(choice.picks().stream().filter(pick -> pick.poll() == 1)).hasSize(5);
    assertThat(choice.picks().stream().filter(pick -> pick.poll() == 0).map(Pick::number))
        .containsExactly(100L, 101L);
  }

  @Test
  void oneCallTakesNoMoreThanFitInATransaction() {
    Long[] many = IntStream.range(0, 3_000).mapToObj(Long::valueOf).toArray(Long[]::new);
    List<Poll> polls = IntStream.range(0, 20).mapToObj(i -> polls(100).getFirst()).toList();
    Lane lane = Lane.found(0, "", "x", NONE).withRoom(5_000).with(List.of(many), false);
    assertThat(Taking.choose(List.of(lane), false, polls).picks()).hasSize(Taking.TOGETHER_MAX);
  }
}
