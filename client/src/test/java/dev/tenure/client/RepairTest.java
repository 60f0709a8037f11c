package dev.tenure.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What operators do about workflows that stand still, from outside. */
class RepairTest {
  private static final WorkflowType<Void, String> TYPE =
      WorkflowType.of("fragile", Void.class, String.class);
  private static RealNode node;
  private static TenureClient tenure;

  @BeforeAll
  static void start() {
    node =
        RealNode.start(
            given -> given.setting("tenure.http.access", "open").workflow(Fragile.class));
    tenure = TenureClient.to(node.uri()).build();
  }

  @AfterAll
  static void stop() {
    tenure.close();
    node.close();
  }

  private static WorkflowHandle<String> standStill(String id) {
    Fragile.DOWN.set(true);
    WorkflowHandle<String> workflow = tenure.start(TYPE, id, null);
    RealNode.await(id + " stands still", () -> workflow.incident().isPresent());
    return workflow;
  }

  @Test
  void whatStandsStillIsFoundByItsCauseAndResolvedTogether() {
    List<WorkflowHandle<String>> all = List.of(standStill("all-1"), standStill("all-2"));
    Incident incident = all.getFirst().incident().orElseThrow();
    assertThat(incident.kind()).isEqualTo("operation-failed");
    assertThat(incident.operation()).contains("ask#1");
    assertThat(incident.evidence()).contains("it is down");
    IncidentFilter filter = IncidentFilter.ALL.type("fragile").fingerprint(incident.fingerprint());
    assertThat(tenure.incidents().list(filter).map(Incident::workflowId))
        .contains("all-1", "all-2");
    IncidentGroup cause = tenure.incidents().groups(filter).findFirst().orElseThrow();
    assertThat(cause.count()).isGreaterThanOrEqualTo(2);
    assertThat(cause.since()).isBeforeOrEqualTo(cause.newest());

    BulkProposal proposal = tenure.incidents().proposeResolution(filter, "it is up");
    assertThat(proposal.count()).isEqualTo(cause.count());
    Fragile.DOWN.set(false);
    BulkProgress begun = tenure.incidents().confirm(proposal.confirmation());
    assertThat(tenure.incidents().confirm(proposal.confirmation()).bulkId())
        .isEqualTo(begun.bulkId());
    RealNode.await("all", () -> tenure.incidents().progress(begun.bulkId()).finished());
    assertThat(tenure.incidents().progress(begun.bulkId()).failed()).isZero();
    for (WorkflowHandle<String> each : all) assertThat(each.result()).isEqualTo("ab");
  }

  @Test
  void aStepIsTriedAgainAndAWorkflowIsForked() {
    WorkflowHandle<String> stuck = standStill("alone");
    assertThatExceptionOfType(TenureException.NotNow.class)
        .isThrownBy(() -> stuck.retryStep("other#1"));
    assertThatExceptionOfType(TenureException.NotNow.class)
        .isThrownBy(() -> stuck.moveToVersion(9, "there is none"));
    Fragile.DOWN.set(false);
    assertThat(stuck.retryStep("ask#1")).isTrue();
    assertThat(stuck.result()).isEqualTo("ab");
    assertThat(stuck.incident()).isEmpty();

    ForkRequest request = ForkRequest.from("ask#1").idempotencyKey("fork");
    WorkflowHandle<String> forked = stuck.fork(request);
    assertThat(stuck.fork(request).id()).isEqualTo(forked.id());
    assertThat(forked.result()).isEqualTo("ab");
    assertThat(stuck.fork(ForkRequest.from("ask#1").id("named")).id()).isEqualTo("named");
    assertThatExceptionOfType(TenureException.NotFound.class)
        .isThrownBy(() -> stuck.fork("never#1"))
        .satisfies(e -> assertThat(e.code()).isEqualTo("OperationNotFound"));
  }

  @Test
  void oneIsResolvedAndOneThatIsNotThereIsSaid() {
    WorkflowHandle<String> stuck = standStill("one");
    Fragile.DOWN.set(false);
    assertThat(stuck.resolveIncident("it is up")).isTrue();
    assertThat(stuck.result()).isEqualTo("ab");
    assertThatExceptionOfType(TenureException.NotFound.class)
        .isThrownBy(() -> tenure.workflow("nobody").incident());
  }
}
