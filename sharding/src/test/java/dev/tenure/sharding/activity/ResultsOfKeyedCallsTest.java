package dev.tenure.sharding.activity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Verifier.Verdict;
import dev.tenure.workflow.kernel.Limits;
import dev.tenure.workflow.operation.Outcome;
import org.junit.jupiter.api.Test;

/**
 * A keyed call that was made, and whose result cannot be recorded: it is not made again for that.
 */
class ResultsOfKeyedCallsTest extends KeyedCallFixture {
  private static String tooLarge() {
    return "x".repeat(Limits.KEPT_BYTES_MAX + 1);
  }

  /** What code returns that went around the compiler. */
  @SuppressWarnings("unchecked")
  private static ActivityDefinition.Body<String, String> returning(Object result) {
    ActivityDefinition.Body<String, Object> body = (call, input) -> result;
    return (ActivityDefinition.Body<String, String>) (ActivityDefinition.Body<?, ?>) body;
  }

  private void isUnproven(Object result) {
    Outcome outcome = first(verified(returning(result), (c, i) -> Verdict.indeterminate("shut")));
    assertUnproven(outcome, true);
    assertThat(calls).as("the verifier is asked again, and nothing is called").hasValue(1);
    outcome = again(verified(returning(result), (c, i) -> Verdict.indeterminate("shut")));
    assertUnproven(outcome, true);
    assertThat(calls).hasValue(1);
  }

  @Test
  void oneThatIsTooLargeMayHaveHadItsEffect() {
    isUnproven(tooLarge());
  }

  @Test
  void oneOfAnotherTypeMayHaveHadItsEffect() {
    isUnproven(new Object());
  }

  @Test
  void withoutAVerifierAPersonDecides() {
    Outcome outcome = first(paying((call, input) -> tooLarge()));
    assertUnproven(outcome, false);
    assertThat(failure(outcome).cause().orElseThrow().message()).contains("KEPT_BYTES_MAX");
  }

  @Test
  void aVerifierThatKnowsASmallerOneHelps() {
    Outcome outcome =
        first(
            verified((call, input) -> tooLarge(), (c, i) -> Verdict.completed("receipt", "found")));
    assertThat(outcome).isEqualTo(new Outcome.Succeeded(RECEIPT));
  }

  @Test
  void aVerifierWhoseResultCannotBeRecordedLeavesItToAPerson() {
    for (int round = 0; round < 2; round++) {
      Outcome outcome =
          again(
              verified(
                  KeyedCallFixture::succeeds, (c, i) -> Verdict.completed(tooLarge(), "found")));
      assertUnproven(outcome, false);
      Failure failure = failure(outcome);
      assertThat(failure.message()).contains("cannot be recorded");
    }
    assertThat(calls).hasValue(0);
    assertThat(record().result()).isEmpty();
  }
}
