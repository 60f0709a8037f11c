package dev.tenure.workflow.kernel;

import static dev.tenure.workflow.kernel.ActivityCalls.NO_EFFECT;
import static dev.tenure.workflow.kernel.ActivityCalls.RESET;
import static dev.tenure.workflow.kernel.ActivityCalls.TWICE;
import static dev.tenure.workflow.kernel.ActivityCalls.UNPROVEN;
import static dev.tenure.workflow.kernel.ActivityCalls.after;
import static dev.tenure.workflow.kernel.ActivityCalls.keyed;
import static dev.tenure.workflow.kernel.ActivityCalls.newest;
import static dev.tenure.workflow.kernel.ActivityCalls.plain;
import static dev.tenure.workflow.kernel.ActivityCalls.queued;
import static dev.tenure.workflow.kernel.ActivityCalls.started;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.kernel.Effect.Proof;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a workflow is told of the effect when only some of the attempts certainly had none. */
class DoubtedActivitiesTest {
  private static final Timeouts TEN_SECONDS = Timeouts.NONE.total(Duration.ofSeconds(10));

  static List<OperationSpec> all() {
    return List.of(
        plain(TWICE, Timeouts.NONE), keyed(TWICE, Timeouts.NONE), queued(TWICE, Timeouts.NONE));
  }

  private static OutsideEffect told(Shell shell) {
    Outcome outcome = shell.events(Event.Completed.class).getFirst().outcome();
    return ((Outcome.Failed) outcome).failure().outside();
  }

  @ParameterizedTest
  @MethodSource("all")
  void thatTheLastAttemptHadNoEffectSaysNothingOfTheOneBeforeIt(OperationSpec call) {
    Shell shell = started(call);
    after(shell, 1, RESET);
    shell.fail("a#1", 2, NO_EFFECT);
    assertThat(told(shell)).isEqualTo(OutsideEffect.POSSIBLE);
  }

  @ParameterizedTest
  @MethodSource("all")
  void thatNoAttemptHadAnEffectIsTold(OperationSpec call) {
    Shell shell = started(call);
    after(shell, 1, NO_EFFECT);
    shell.fail("a#1", 2, NO_EFFECT);
    assertThat(told(shell)).isEqualTo(OutsideEffect.NONE);
  }

  /** The node that was lost may have done it, or may do it yet. */
  @Test
  void thatAnAttemptHadNoEffectSaysNothingOfALostNode() {
    Shell shell = started(plain(TWICE.attempts(1), Timeouts.NONE));
    shell.recover();
    shell.fail("a#1", 1, NO_EFFECT);
    assertThat(told(shell)).isEqualTo(OutsideEffect.POSSIBLE);
  }

  /** The owner slept through the time of the call, and a late result may be on record. */
  @Test
  void aCallThatMayHaveBeenMadeIsProvenAlthoughItsTimeIsOver() {
    for (var failure : List.of(RESET, UNPROVEN)) {
      Shell shell = started(keyed(TWICE, TEN_SECONDS));
      shell.fail("a#1", 1, failure);
      shell.advance(Duration.ofMinutes(1));
      shell.due();
      assertThat(shell.events(Event.Completed.class)).isEmpty();
      assertThat(newest(shell)).isEqualTo(Proof.NEEDED);
    }
  }

  @Test
  void aCallThatHadNoEffectEndsWithItsTime() {
    Shell shell = started(keyed(TWICE, TEN_SECONDS));
    shell.fail("a#1", 1, NO_EFFECT);
    shell.advance(Duration.ofMinutes(1));
    shell.due();
    assertThat(told(shell)).isEqualTo(OutsideEffect.NONE);
  }
}
