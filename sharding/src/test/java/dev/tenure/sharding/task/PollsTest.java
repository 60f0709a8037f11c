package dev.tenure.sharding.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.task.Tasks;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is kept of polls while others of their queue stay. */
class PollsTest {
  private static final long LATER = Long.MAX_VALUE / 2;

  private final Polls polls = new Polls(new TaskDesk.Limits(10, 10));

  private Poll add(String... activities) {
    return polls.add("mail", new Tasks.Poll("a worker", Set.of(activities), 1), LATER, true);
  }

  @Test
  void setsOfActivitiesThatNoPollAsksForAnyMoreAreForgotten() {
    Poll stays = add("send");
    polls.took(stays, List.of(), 0);
    for (int i = 0; i < 10_000; i++) {
      Poll taking = add("print-" + i);
      if (i % 2 == 0) polls.took(taking, List.of(), 0);
      polls.end(taking);
      if (i % 2 == 1) polls.took(taking, List.of(), 0);
    }
    assertThat(stays.line.queue.lines()).containsExactly(stays.line);
    assertThat(polls.noteWork(Set.of("mail"))).containsExactly(stays);
  }

  @Test
  void aSetOfActivitiesIsKeptForAsLongAsOnePollAsksForIt() {
    Poll first = add("send");
    Poll second = add("send");
    for (Poll each : List.of(first, second)) if (each.isTaking) polls.took(each, List.of(), 0);
    polls.end(first);
    assertThat(add("send").line).isSameAs(second.line);
    assertThat(polls.noteWork(Set.of("mail"))).containsExactly(second);
  }
}
