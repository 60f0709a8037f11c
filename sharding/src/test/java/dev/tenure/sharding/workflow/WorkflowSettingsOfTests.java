package dev.tenure.sharding.workflow;

import dev.tenure.sharding.host.WorkflowSettings;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** The settings of a node that a test starts, with the clock and the chance of this machine. */
public final class WorkflowSettingsOfTests {
  private WorkflowSettingsOfTests() {}

  public static WorkflowSettings usual() {
    return with(InstantSource.system());
  }

  public static WorkflowSettings with(InstantSource clock) {
    return WorkflowSettings.of(
        clock, () -> ThreadLocalRandom.current().nextLong(), () -> UUID.randomUUID().toString());
  }
}
