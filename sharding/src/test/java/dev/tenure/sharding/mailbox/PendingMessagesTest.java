package dev.tenure.sharding.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.Message;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What an owner was told stays counted as long as it is there, and no longer. */
class PendingMessagesTest {
  private final List<Message> posted = new ArrayList<>();
  private final List<Answer> answers = new ArrayList<>();
  private final PendingMessages pending = new PendingMessages(OwnerLimits.DEFAULT, posted::add);

  private Message.Describe request() {
    return new Message.Describe(answers::add);
  }

  private Message.Tell order(Command command) {
    return new Message.Tell(command, answers::add);
  }

  @Test
  void asManyRequestsWaitAsMayAndOneThatIsTakenUpMakesRoom() {
    for (int i = 0; i < WorkflowSettings.WAITING_MAX; i++) {
      assertThat(pending.admits(request())).isTrue();
      if (i % 2 == 0) pending.keep(request());
      else pending.add(request());
    }
    assertThat(pending.admits(request())).isFalse();
    assertThat(answers).containsExactly(new Answer.Busy(WorkflowSettings.WAITING_MAX));
    assertThat(pending.admits(Message.WakeUp.WAKE_UP)).as("nobody asked for it").isTrue();
    pending.poll();
    assertThat(pending.admits(request())).isTrue();
    pending.keep(request());
    assertThat(pending.admits(request())).isFalse();
    pending.next();
    assertThat(pending.admits(request())).isTrue();
  }

  @Test
  void oneCanStillCancelAndTerminateWhereTooManyWait() {
    for (int i = 0; i < WorkflowSettings.WAITING_MAX; i++) pending.add(request());
    for (int i = 0; i < OwnerLimits.DEFAULT.urgent(); i++) {
      Message.Tell order =
          order(i % 2 == 0 ? new Command.Terminate("enough") : new Command.Cancel("enough"));
      assertThat(pending.admits(order)).isTrue();
      pending.keep(order);
    }
    assertThat(pending.admits(order(new Command.Terminate("enough")))).isFalse();
    assertThat(pending.admits(order(new Command.Pause("a look")))).isFalse();
  }

  @Test
  void whatAnOwnerBeginsWithStaysUntilItHasBegun() {
    Message.Tell order = order(new Command.ResolveIncident("mended"));
    pending.beginWith(order);
    assertThat(pending.beginning()).containsExactly(order);
    assertThat(pending.asked()).as("an owner that fails before it has begun").isEqualTo(1);
    List<Message.Queued> agenda = new ArrayList<>(pending.beginning());
    agenda.add(Message.WakeUp.WAKE_UP);
    pending.begun(agenda);
    assertThat(pending.beginning()).isEmpty();
    assertThat(pending.poll()).isEqualTo(order);
    assertThat(pending.poll()).isEqualTo(Message.WakeUp.WAKE_UP);
    assertThat(pending.asked()).isZero();
  }

  /** The one before it may have been given up before it came to them. */
  @Test
  void anOwnerTakesUpItsOwnRecoveryAndNotThatOfTheOwnersBeforeIt() {
    Message.Own blocked = new Message.Own(new Command.Block("no code"));
    Message.Own pinned = new Message.Own(new Command.MoveToVersion(2, "a version"));
    Message.Own recovered = new Message.Own(new Command.Recovered());
    Message.Tell order = order(new Command.Pause("a look"));
    pending.begun(List.of(blocked, pinned, recovered));
    pending.grantMore();
    pending.add(order);
    pending.beginWith(recovered);
    assertThat(pending.beginning()).isEmpty();
    pending.begun(List.of(recovered));
    assertThat(pending.poll()).isEqualTo(recovered);
    assertThat(pending.poll()).isEqualTo(order);
    assertThat(pending.isEmpty()).isTrue();
  }

  /** It is known to nobody else: without it the step would run again. */
  @Test
  void theResultOfAStepOutlivesTheOwnerThatGotIt() {
    Message.Own result =
        new Message.Own(
            new Command.AttemptEnded(
                OperationId.of("", "step", 1), 1, new Outcome.Succeeded(Payload.NONE)));
    pending.addFirst(result);
    pending.begun(List.of());
    assertThat(pending.poll()).isEqualTo(result);
  }

  @Test
  void whateverIsDoneWithThemTheCountIsWhatIsThere() {
    SplittableRandom random = new SplittableRandom(4);
    for (int i = 0; i < 20_000; i++) {
      switch (random.nextInt(9)) {
        case 0 -> pending.keep(request());
        case 1 -> pending.add(request());
        case 2 -> pending.addFirst(order(new Command.ResolveIncident("mended")));
        case 3 -> pending.beginWith(request());
        case 4 -> pending.begun(pending.beginning());
        case 5 -> pending.next().ifPresent(pending::keep);
        case 6 -> {
          if (!pending.isEmpty()) pending.poll();
        }
        case 7 -> pending.raise(new Incident.Other("kind", "why"));
        default -> {
          if (random.nextInt(50) == 0) {
            pending.giveBack("The owner has stopped.");
            assertThat(pending.asked()).isZero();
          }
        }
      }
      assertThat(pending.asked()).isNotNegative();
    }
    int told = answers.size();
    int there = pending.asked();
    pending.giveBack("The owner has stopped.");
    assertThat(pending.asked()).isZero();
    assertThat(answers).hasSize(told + there);
  }

  @Test
  void whatIsLeftIsAnsweredWhenTheShardMoves() {
    pending.keep(request());
    pending.add(Message.WakeUp.WAKE_UP);
    pending.add(new Message.Own(new Command.Due()));
    pending.giveBack("The shard moves.");
    assertThat(answers).containsExactly(new Answer.Again("The shard moves."));
    assertThat(posted).as("the next holder looks for what is due").isEmpty();
  }

  @Test
  void whatIsLeftIsForTheNextOwnerWhenThisOneAskedToGo() {
    Message.Describe request = request();
    pending.asksToGo();
    pending.leaves();
    assertThat(pending.tellUnlessLeaving(request, message -> {})).isFalse();
    pending.keep(request);
    pending.add(Message.WakeUp.WAKE_UP);
    pending.giveBack("The owner has stopped.");
    assertThat(answers).isEmpty();
    assertThat(posted).containsExactly(Message.WakeUp.WAKE_UP, request);
  }

  // --- signals

  private final SignalsOfTest signals = new SignalsOfTest();

  private Message.Signalled signal(String id) {
    return new Message.Signalled(signals.signal("go", id));
  }

  @Test
  void signalsAreSentElsewhereInTheirOrderAndTheRestStays() {
    pending.keep(signal("s-4"));
    pending.keep(Message.WakeUp.WAKE_UP);
    pending.keep(signal("s-5"));
    pending.add(signal("s-2"));
    pending.add(request());
    pending.add(signal("s-3"));
    pending.beginWith(signal("s-1"));
    pending.sendElsewhere();
    assertThat(signals.handedIn).containsExactly("s-1", "s-2", "s-3", "s-4", "s-5");
    assertThat(pending.hasSignals()).isFalse();
    assertThat(pending.asked()).isEqualTo(1);
    assertThat(pending.next()).contains(Message.WakeUp.WAKE_UP);
  }

  @Test
  void oneSignalTooManyDoesNotComeBeforeThoseThatWait() {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < WorkflowSettings.WAITING_MAX; i++) {
      all.add("s-" + i);
      Message.Signalled signal = signal("s-" + i);
      assertThat(pending.admits(signal)).isTrue();
      pending.keep(signal);
    }
    all.add("one more");
    assertThat(pending.admits(signal("one more"))).isFalse();
    assertThat(signals.handedIn).containsExactlyElementsOf(all);
    assertThat(pending.admits(signal("another"))).isTrue();
  }

  /** Two nodes that feed one workflow must not have it read its history all the time. */
  @Test
  void afterEachCommitThatFailedTwiceAsManySignalsAreLeft() {
    for (int left : List.of(100, 200, 400)) {
      pending.leaveSignals();
      for (int i = 0; i < left; i++) assertThat(pending.leavesSignals()).isTrue();
      assertThat(pending.leavesSignals()).isFalse();
    }
    for (int i = 0; i < 40; i++) pending.leaveSignals();
    assertThat(pending.leavesSignals()).as("however many failed").isTrue();
  }
}
