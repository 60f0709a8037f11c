package dev.tenure.examples.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.client.BulkProgress;
import dev.tenure.client.BulkProposal;
import dev.tenure.client.IncidentFilter;
import dev.tenure.client.TenureClient;
import dev.tenure.client.WorkflowHandle;
import dev.tenure.client.WorkflowType;
import dev.tenure.examples.node.Engine;
import org.junit.jupiter.api.Test;

/** What the page on repairing shows of it from outside. */
class RepairOverHttpTest {
  private static final WorkflowType<Integer, String> TRANSFER =
      WorkflowType.of("transfer", Integer.class, String.class);

  @Test
  void manyAreCountedConfirmedAndGoOn() {
    RepairTest.BANK_IS_DOWN.set(true);
    try (Engine engine =
            Engine.start(
                node ->
                    node.workflow(RepairTest.Transfer.class)
                        .setting("tenure.http.access", "open"));
        TenureClient tenure = TenureClient.to(engine.node().http()).build()) {
      WorkflowHandle<String> transfer = tenure.start(TRANSFER, "transfer-1", 100);
      Engine.await("an incident", () -> transfer.incident().isPresent());
      RepairTest.BANK_IS_DOWN.set(false);

      IncidentFilter filter = IncidentFilter.ALL.type("transfer").kind("operation-failed");
      BulkProposal proposal = tenure.incidents().proposeResolution(filter, "The bank is back.");
      assertThat(proposal.count()).isEqualTo(1);
      BulkProgress progress = tenure.incidents().confirm(proposal.confirmation());

      assertThat(progress.count()).isEqualTo(1);
      assertThat(transfer.result()).isEqualTo("booking of 100 is confirmed");
    }
  }
}
