package dev.tenure.sharding.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.sharding.retention.WorkflowRetention.Rule;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which rule counts. */
class WorkflowRetentionTest {
  private static Rule rule(String type, Status status, int days) {
    return new Rule(Optional.ofNullable(type), Optional.ofNullable(status), Duration.ofDays(days));
  }

  @Test
  void theRuleThatSaysTheMostCounts() {
    WorkflowRetention all =
        new WorkflowRetention(
            List.of(
                rule(null, null, 1),
                rule(null, Status.FAILED, 2),
                rule("order", null, 3),
                rule("order", Status.FAILED, 4)));
    assertThat(all.keep("other", Status.COMPLETED)).contains(Duration.ofDays(1));
    assertThat(all.keep("other", Status.FAILED)).contains(Duration.ofDays(2));
    assertThat(all.keep("order", Status.COMPLETED)).contains(Duration.ofDays(3));
    assertThat(all.keep("order", Status.FAILED)).contains(Duration.ofDays(4));
    assertThat(all.times())
        .containsExactly(
            Duration.ofDays(1), Duration.ofDays(2), Duration.ofDays(3), Duration.ofDays(4));
  }

  @Test
  void whatNoRuleIsAboutIsKeptForEver() {
    WorkflowRetention some = new WorkflowRetention(List.of(rule("order", Status.FAILED, 4)));
    assertThat(some.keep("order", Status.COMPLETED)).isEmpty();
    assertThat(some.keep("other", Status.FAILED)).isEmpty();
    assertThat(WorkflowRetention.FOR_EVER.keep("order", Status.FAILED)).isEmpty();
    assertThat(WorkflowRetention.FOR_EVER.times()).isEmpty();
  }

  @Test
  void rulesThatCannotBeMeantAreRefused() {
    assertThatThrownBy(() -> rule(null, Status.RUNNING, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not closed");
    assertThatThrownBy(() -> rule(null, null, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new WorkflowRetention(List.of(rule("a", null, 1), rule("a", null, 2))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two rules");
  }
}
