package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.activity.ActivityStatus;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.workflow.ActivityCode;
import dev.tenure.workflow.ActivityContext;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.ActivityFailedException;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Verifier.Verdict;
import dev.tenure.workflow.WorkflowId;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The time for all attempts ends the retries of an activity, whatever its policy allows. */
class TotalTimeoutsTest {
  private static final RetryPolicy EVERY_TEN_SECONDS =
      RetryPolicy.DEFAULT
          .attempts(10)
          .backoff(Duration.ofSeconds(10), 1, Duration.ofSeconds(10))
          .jitter(0);
  private static final Duration TOTAL = Duration.ofSeconds(35);
  private static final ActivityDefinition<String, String> PLAIN = failing("plain");
  private static final ActivityDefinition<String, String> KEYED = failing("keyed").keyed();
  private static final ActivityDefinition<String, String> QUEUED = failing("queued").onQueue("q");

  private static ActivityDefinition<String, String> failing(String name) {
    return ActivityDefinition.of(name, String.class, String.class)
        .withRetry(EVERY_TEN_SECONDS)
        .withTimeout(Duration.ofSeconds(20))
        .withTotalTimeout(TOTAL);
  }

  private final List<Optional<Instant>> deadlines = new ArrayList<>();
  private final TestLoopNode node =
      new TestLoopNode(
          ActivityRegistration.of(PLAIN, this::fails),
          ActivityRegistration.of(QUEUED, this::fails),
          ActivityRegistration.of(
              ActivityCode.of(KEYED, this::fails)
                  .verifiedBy((call, what) -> Verdict.notCompleted("none")),
              10,
              10));

  private String fails(ActivityContext call, String what) throws IOException {
    deadlines.add(call.deadline());
    throw new IOException("no line");
  }

  private void endsInTime(ActivityDefinition<String, String> activity) {
    String id = activity.name();
    Instant begin = node.loop.instant();
    node.begin(
        id,
        ctx -> {
          try {
            return ctx.activity(activity, "x");
          } catch (ActivityFailedException last) {
            return last.failure().message();
          }
        });
    assertThat(node.result(id)).isEqualTo("\"no line\"");
    assertThat(Duration.between(begin, node.loop.instant()))
        .as("no attempt could begin in time any more")
        .isLessThanOrEqualTo(TOTAL);
    assertThat(deadlines).as("at 0, 10, 20 and 30 seconds").hasSize(4);
    node.pass(Duration.ofMinutes(5));
    assertThat(deadlines).hasSize(4);
    assertThat(deadlines.getFirst())
        .as("the attempt's own limit comes first")
        .hasValueSatisfying(
            at -> assertThat(at).isBefore(begin.plus(TOTAL)).isAfter(begin.plusSeconds(19)));
    assertThat(deadlines.getLast())
        .as("what is left of the time for all attempts")
        .contains(begin.plus(TOTAL));
  }

  @Test
  void ofAnActivityWithoutKey() {
    endsInTime(PLAIN);
  }

  @Test
  void ofAQueuedActivity() {
    endsInTime(QUEUED);
  }

  @Test
  void ofAKeyedActivity() {
    endsInTime(KEYED);
    assertThat(node.storage.activities().of(WorkflowId.of("keyed"), 1).getFirst().status())
        .isEqualTo(ActivityStatus.FAILED);
  }
}
