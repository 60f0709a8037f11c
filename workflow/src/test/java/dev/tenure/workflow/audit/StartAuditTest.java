package dev.tenure.workflow.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Limits;
import dev.tenure.workflow.kernel.Start;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which start may begin a second run, and which may not. */
class StartAuditTest {
  private static Optional<String> begins(StartAudit audit, Optional<String> request) {
    return audit.begins(
        new Start(
            WorkflowId.of("w"),
            "run",
            new WorkflowType("t", 1),
            Payload.NONE,
            1,
            request,
            Optional.empty(),
            Optional.empty(),
            Map.of()));
  }

  private static Optional<String> begins(StartAudit audit, String request) {
    return begins(audit, Optional.of(request));
  }

  /** Start "a", and so many others behind it. */
  private static StartAudit with(int earlierMax, int following) {
    StartAudit audit = new StartAudit(earlierMax);
    assertThat(begins(audit, "a")).isEmpty();
    for (int i = 0; i < following; i++) assertThat(begins(audit, "n" + i)).isEmpty();
    return audit;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, Limits.EARLIER_STARTS_MAX})
  void aStartThatIsStillKnownBeginsNoOtherRun(int earlierMax) {
    for (int following = 0; following <= earlierMax; following++)
      assertThat(begins(with(earlierMax, following), "a"))
          .as("behind " + following + " others")
          .hasValue("one start begins two runs");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, Limits.EARLIER_STARTS_MAX})
  void aStartThatIsDroppedCountsAsNew(int earlierMax) {
    StartAudit audit = with(earlierMax, earlierMax + 1);
    assertThat(begins(audit, "a")).isEmpty();
    assertThat(begins(audit, "a")).as("it is known anew").isPresent();
  }

  @Test
  void aStartWithoutAKeyTakesNoRoom() {
    StartAudit audit = with(1, 0);
    assertThat(begins(audit, Optional.empty())).isEmpty();
    assertThat(begins(audit, Optional.empty())).isEmpty();
    assertThat(begins(audit, "a")).isPresent();
  }
}
