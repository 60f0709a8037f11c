package dev.tenure.workflow.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.ActivityRouting.RateLimit;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.audit.HistoryAudit;
import dev.tenure.workflow.operation.ActivityCall;
import dev.tenure.workflow.operation.ActivityCall.Queueing;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Calls of activities as tests ask for them, and the ways in which their attempts fail. */
final class ActivityCalls {
  /** Two attempts, the second after a second. */
  static final RetryPolicy TWICE = RetryPolicy.DEFAULT.attempts(2).jitter(0);

  static final RetryPolicy OFTEN = TWICE.attempts(5);

  static final Failure NO_EFFECT =
      Failure.retryable("java.net.ConnectException", "refused").with(OutsideEffect.NONE);

  /** It may have had its effect. */
  static final Failure RESET = Failure.retryable("java.net.SocketException", "reset");

  static final Failure UNPROVEN =
      Failure.retryable(Failure.INDETERMINATE, "the bank does not answer")
          .with(OutsideEffect.UNPROVEN);

  private static final Queueing QUEUE =
      new Queueing(
          "bank",
          1,
          "tenant-7",
          Duration.ofSeconds(30),
          "iban-9",
          Optional.of(2),
          Optional.of(new RateLimit(5, Duration.ofSeconds(1))));

  static final OperationId A = new OperationId("a#1");

  private ActivityCalls() {}

  private static OperationSpec.Activity call(
      RetryPolicy retry, Timeouts timeouts, Optional<String> key, Optional<Queueing> queueing) {
    return new OperationSpec.Activity(
        "transfer",
        Payload.NONE,
        retry,
        timeouts,
        new ActivityCall(key, false, Optional.empty(), queueing));
  }

  static OperationSpec.Activity plain(RetryPolicy retry, Timeouts timeouts) {
    return call(retry, timeouts, Optional.empty(), Optional.empty());
  }

  static OperationSpec.Activity keyed(RetryPolicy retry, Timeouts timeouts) {
    return call(retry, timeouts, Optional.of("order-7"), Optional.empty());
  }

  static OperationSpec.Activity queued(RetryPolicy retry, Timeouts timeouts) {
    return call(retry, timeouts, Optional.empty(), Optional.of(QUEUE));
  }

  static OperationSpec.Activity keyedAndQueued(RetryPolicy retry, Timeouts timeouts) {
    return call(retry, timeouts, Optional.of("order-7"), Optional.of(QUEUE));
  }

  /** With or without a key and a queue. */
  static OperationSpec.Activity any(RandomGenerator random, RetryPolicy retry, Timeouts timeouts) {
    return call(
        retry,
        timeouts,
        random.nextInt(3) == 0 ? Optional.empty() : Optional.of("key-" + random.nextInt(9)),
        random.nextInt(3) == 0 ? Optional.of(QUEUE) : Optional.empty());
  }

  /** What is committed, and what goes out because of it, is read by an auditor. */
  static Shell audited(Script.Part main) {
    Shell shell = new Shell(main);
    HistoryAudit audit = new HistoryAudit("w");
    shell.journal.onCommit = audit::commit;
    shell.onEffect =
        effect -> {
          audit.effect(effect);
          shell.effects.add(effect);
        };
    shell.tell(new Command.StartWorkflow(Shell.start("w")));
    return shell;
  }

  static Effect.Proof newest(Shell shell) {
    return shell.effects(Effect.RunActivity.class).getLast().proof();
  }

  /** This attempt fails, and the next goes out. */
  static Effect.Proof after(Shell shell, int attempt, Failure failure) {
    shell.fail("a#1", attempt, failure);
    return nextAttempt(shell);
  }

  static Effect.Proof nextAttempt(Shell shell) {
    int before = shell.effects(Effect.RunActivity.class).size();
    shell.advance(Duration.ofSeconds(30));
    shell.due();
    assertThat(shell.effects(Effect.RunActivity.class)).as("the next attempt").hasSize(before + 1);
    return newest(shell);
  }

  /** It asks for the call, and then for a step. */
  static Shell started(OperationSpec call) {
    return audited(Script.seq(Script.op("a", call), Script.op("b", OperationSpec.Step.DEFAULT)));
  }

  /** This attempt and the one after it. */
  static void failTwice(Shell shell, int first, Failure failure) {
    after(shell, first, failure);
    shell.fail("a#1", first + 1, failure);
  }
}
