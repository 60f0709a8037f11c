package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.signal.PendingSignal;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.kernel.Command;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Looks that take several pages, while the workflow goes on. */
class InboxTest {
  private final List<Long> asked = new ArrayList<>();
  private final Inbox inbox = new Inbox(new SeenSignals(), asked::add);

  private static PendingSignal signal(String name, long position, int bytes) {
    return new PendingSignal(
        position, name, "id-" + position, Instant.EPOCH, Payload.of(new byte[bytes]));
  }

  private static List<PendingSignal> page(String name, long from, long to) {
    List<PendingSignal> page = new ArrayList<>();
    for (long position = from; position <= to; position++) page.add(signal(name, position, 1));
    return page;
  }

  private List<Long> found(List<PendingSignal> page, Predicate<String> awaited) {
    Optional<Command.Signals> found = inbox.page(page, awaited);
    return found.stream()
        .flatMap(signals -> signals.arrivals().stream())
        .map(Command.Arrival::position)
        .toList();
  }

  /** The wait begins between two pages: none behind what was left may be taken (I14). */
  @Test
  void whatStandsBehindASignalThatWasLeftIsLeftToo() {
    inbox.look();
    assertThat(found(page("go", 1, InboxReads.PAGE_SIGNALS), name -> false)).isEmpty();
    inbox.look();
    assertThat(found(page("go", 101, 150), name -> true)).isEmpty();
    assertThat(asked).as("the wait that began is looked for from the beginning").endsWith(0L);
    found(page("go", 1, InboxReads.PAGE_SIGNALS), name -> true);
    assertThat(found(page("go", 101, 150), name -> true)).hasSize(150).startsWith(1L);
  }

  @Test
  void signalsThatAreLargeTogetherAreTakenInSeveralCommits() {
    List<PendingSignal> page = new ArrayList<>();
    for (int i = 1; i <= 80; i++) page.add(signal("name-" + i, i, 60 * 1024));
    inbox.look();
    List<Long> first = found(page, name -> true);
    assertThat(first).hasSizeLessThan(40).startsWith(1L);
    inbox.lookForTheRest();
    assertThat(asked).containsExactly(0L, 0L);
    assertThat(found(page.subList(first.size(), 80), name -> true))
        .startsWith((long) first.size() + 1);
  }
}
