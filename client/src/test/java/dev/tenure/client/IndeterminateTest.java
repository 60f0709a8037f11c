package dev.tenure.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What operators do about payments that may have been made, from outside. */
class IndeterminateTest {
  private static final WorkflowType<Void, String> TYPE =
      WorkflowType.of("payment", Void.class, String.class);
  private static RealNode node;
  private static TenureClient tenure;

  @BeforeAll
  static void start() {
    node =
        RealNode.start(
            given ->
                given
                    .setting("tenure.http.access", "open")
                    .workflow(Payment.class)
                    .activity(Payment.PAY, Payment::pay));
    tenure = TenureClient.to(node.uri()).build();
  }

  @AfterAll
  static void stop() {
    tenure.close();
    node.close();
  }

  private static WorkflowHandle<String> standStill(String id) {
    Payment.SILENT.set(true);
    WorkflowHandle<String> workflow = tenure.start(TYPE, id, null);
    RealNode.await(id + " stands still", () -> workflow.incident().isPresent());
    return workflow;
  }

  @Test
  void theRecordOfAPaymentSaysWhatIsKnown() {
    WorkflowHandle<String> stuck = standStill("seen");
    ActivityRecord record = stuck.activities().list(10).getFirst();
    assertThat(record.operation()).isEqualTo("pay#1");
    assertThat(record.activity()).isEqualTo("pay");
    assertThat(record.status()).isEqualTo("indeterminate");
    assertThat(record.createdAt()).isBeforeOrEqualTo(record.updatedAt());
    Incident incident = stuck.incident().orElseThrow();
    assertThat(incident.kind()).isEqualTo(Incident.ACTIVITY_INDETERMINATE);
    assertThat(incident.activity().orElseThrow().key()).isEqualTo(record.key());
    WorkflowDescription.Incident described = stuck.describe().incident().orElseThrow();
    assertThat(described.operation()).contains("pay#1");
    assertThat(described.failure()).isPresent();
  }

  @Test
  void oneIsCompletedAndASecondTimeIsRefused() {
    WorkflowHandle<String> stuck = standStill("completed");
    assertThatExceptionOfType(TenureException.NotNow.class)
        .isThrownBy(() -> stuck.activities().complete("pay#2", null, "n"));
    Payment.Receipt receipt = new Payment.Receipt("by phone", 7);
    assertThat(stuck.activities().complete("pay#1", receipt, "it is in the books")).isTrue();
    assertThat(stuck.result()).isEqualTo("by phone");
    assertThatExceptionOfType(TenureException.Closed.class)
        .isThrownBy(() -> stuck.activities().complete("pay#1", receipt, "again"));
  }

  @Test
  void anOrderForAnotherAttemptOrRunDoesNothing() {
    WorkflowHandle<String> stuck = standStill("meant");
    AttemptRef seen =
        stuck.describe().open().stream()
            .filter(open -> open.id().equals("pay#1"))
            .map(open -> AttemptRef.of(open.id()).attempt(open.attempt()))
            .findFirst()
            .orElseThrow();
    AttemptRef before = seen.attempt(seen.attempt().orElseThrow() - 1);
    assertThat(stuck.retryStep(before, "no such payment")).isFalse();
    StatedFailure refused = StatedFailure.of("shop.Refused", "no money").withoutEffect();
    assertThatExceptionOfType(TenureException.NotNow.class)
        .isThrownBy(() -> stuck.activities().fail(before, refused, "n"));
    assertThatExceptionOfType(TenureException.NotNow.class)
        .isThrownBy(() -> stuck.activities().complete(seen.run("another"), null, "n"));
    assertThat(stuck.activities().fail(seen, refused, "n")).isTrue();
    assertThat(stuck.result()).isEqualTo("shop.Refused  without effect");
  }

  @Test
  void oneIsFailedAndOneIsVerifiedAgain() {
    WorkflowHandle<String> stuck = standStill("failed");
    StatedFailure refused = StatedFailure.of("shop.Refused", "no money").code("no-money");
    assertThat(stuck.activities().fail("pay#1", refused, "the bank says so")).isTrue();
    assertThat(stuck.result()).isEqualTo("shop.Refused no-money");
    WorkflowHandle<String> verified = standStill("verified");
    assertThat(verified.activities().verifyAgain("pay#1", "it is up")).isTrue();
    assertThat(verified.history().map(commit -> commit.document().toString()))
        .anyMatch(commit -> commit.contains("it is up"));
  }

  @Test
  void manyAreCompletedOrRunAgainTogether() {
    IncidentFilter filter = IncidentFilter.ALL.type("payment");
    List<WorkflowHandle<String>> all = List.of(standStill("many-1"), standStill("many-2"));
    resolved(filter, Remedy.complete(new Payment.Receipt("all", 1)));
    for (WorkflowHandle<String> each : all) assertThat(each.result()).isEqualTo("all");

    WorkflowHandle<String> failed = standStill("f");
    resolved(filter, Remedy.fail(StatedFailure.of("shop.Refused", "")));
    assertThat(failed.result()).isEqualTo("shop.Refused ");

    WorkflowHandle<String> again = standStill("r");
    Payment.SILENT.set(false);
    resolved(filter, Remedy.retry());
    assertThat(again.result()).isEqualTo("r");
  }

  private static void resolved(IncidentFilter filter, Remedy remedy) {
    BulkProposal proposal = tenure.incidents().proposeResolution(filter, remedy, "looked at");
    assertThat(proposal.count()).isPositive();
    BulkProgress begun = tenure.incidents().confirm(proposal.confirmation());
    RealNode.await("all", () -> tenure.incidents().progress(begun.bulkId()).finished());
    assertThat(tenure.incidents().progress(begun.bulkId()).failed()).isZero();
  }
}
