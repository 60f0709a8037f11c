package dev.tenure.http;

import static dev.tenure.http.Http.workflow;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.persistence.activity.ActivityEffect;
import dev.tenure.persistence.activity.ActivityKey;
import dev.tenure.persistence.activity.ActivityRecord;
import dev.tenure.persistence.activity.ActivityRecord.Verdict;
import dev.tenure.persistence.activity.ActivityRecords;
import dev.tenure.persistence.activity.ActivityStatus;
import dev.tenure.persistence.activity.InvocationKey;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.OperationId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** How records of activities are shown, whatever stands in them. */
class ActivityRecordsTest {
  private static final Instant FIRST = Instant.parse("2026-03-01T09:00:00Z");
  private static final Instant LAST = Instant.parse("2026-03-01T09:00:05Z");
  private static final InvocationKey INVOCATION =
      InvocationKey.of("job", "node", "tool", new byte[0]);

  /** The records that the storage has, by workflow. */
  private static final Map<WorkflowId, List<ActivityRecord>> RECORDS = new ConcurrentHashMap<>();

  private static Served served;
  private static Http http;

  /** A storage that has these records and no others. */
  private static final class WithRecords extends ForwardingStorage {
    private WithRecords(Storage inner) {
      super(inner);
    }

    @Override
    public ActivityRecords activities() {
      ActivityRecords inner = super.activities();
      return new ActivityRecords() {
        @Override
        public List<Optional<ActivityRecord>> find(List<ActivityKey> keys) {
          return inner.find(keys);
        }

        @Override
        public List<Recorded> complete(List<ActivityEffect> effects) {
          return inner.complete(effects);
        }

        @Override
        public Optional<ActivityRecord> ofOperation(WorkflowId workflow, String operation) {
          return RECORDS.getOrDefault(workflow, List.of()).stream()
              .filter(record -> record.key().operation().equals(operation))
              .findFirst();
        }

        @Override
        public List<ActivityRecord> of(WorkflowId workflow, int limit) {
          return RECORDS.getOrDefault(workflow, List.of()).stream().limit(limit).toList();
        }
      };
    }
  }

  @BeforeAll
  static void start() {
    served = Served.over(WithRecords::new);
    http = served.http();
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  private static ActivityRecord record(
      String workflow,
      String runId,
      String operation,
      ActivityStatus status,
      Optional<String> result,
      Optional<Failure> error,
      Optional<Verdict> verdict) {
    return new ActivityRecord(
        ActivityKey.of(
            WorkflowId.of(workflow), runId, new OperationId(operation), "pay", "order-7"),
        status,
        2,
        5,
        INVOCATION,
        result.map(json -> Payload.of(json.getBytes(StandardCharsets.UTF_8))),
        error,
        verdict,
        FIRST,
        LAST);
  }

  private static ActivityRecord completed(String workflow, String operation, String json) {
    return record(
        workflow,
        "run-1",
        operation,
        ActivityStatus.COMPLETED,
        Optional.of(json),
        Optional.empty(),
        Optional.empty());
  }

  private static JsonNode records(String id, String query) {
    Http.Reply reply = http.get(workflow(id, "activities") + query);
    assertThat(reply.status()).as(reply.body().toString()).isEqualTo(200);
    return reply.body().get("activities");
  }

  @Test
  void aRecordIsShownWithAllThatIsKnown() {
    Failure silent =
        new Failure("bank.Silent", "no answer", Optional.of("E7"), true, "stack", Optional.empty());
    RECORDS.put(
        WorkflowId.of("shown"),
        List.of(
            record(
                "shown",
                "run-1",
                "ship#2/pay#1",
                ActivityStatus.INDETERMINATE,
                Optional.empty(),
                Optional.of(silent),
                Optional.of(new Verdict(Verdict.Word.INDETERMINATE, "the bank timed out"))),
            completed("shown", "pay#1", "{\"receipt\": 7.10}")));
    JsonNode all = records("shown", "");
    assertThat(all).hasSize(2);
    JsonNode first = all.get(0);
    assertThat(first.get("runId").asText()).isEqualTo("run-1");
    assertThat(first.get("operation").asText()).isEqualTo("ship#2/pay#1");
    assertThat(first.get("activity").asText()).isEqualTo("pay");
    assertThat(first.get("key").asText()).isEqualTo("order-7");
    assertThat(first.get("status").asText()).isEqualTo("indeterminate");
    assertThat(first.get("attempt").asInt()).isEqualTo(2);
    assertThat(first.get("epoch").asInt()).isEqualTo(5);
    assertThat(first.get("invocation").asText()).isEqualTo(INVOCATION.toString());
    assertThat(first.at("/error/code").asText()).isEqualTo("E7");
    assertThat(first.get("error").has("stack")).isFalse();
    assertThat(first.at("/verdict/answer").asText()).isEqualTo("indeterminate");
    assertThat(first.at("/verdict/evidence").asText()).isEqualTo("the bank timed out");
    assertThat(first.has("result")).isFalse();
    assertThat(first.get("createdAt").asText()).isEqualTo(FIRST.toString());
    assertThat(first.get("updatedAt").asText()).isEqualTo(LAST.toString());
    // As it is stored, to the last digit.
    assertThat(new String(http.get(workflow("shown", "activities")).raw().body()))
        .contains("{\"receipt\": 7.10}");
    assertThat(records("shown", "?limit=1")).hasSize(1);
    JsonNode called = http.rpc("workflows.activities", "{\"workflowId\":\"shown\"}").body();
    assertThat(called.at("/result/activities").toString()).isEqualTo(all.toString());
  }

  @Test
  void resultsThatTheAnswerHasNoRoomForAreCounted() {
    String large = "\"" + "x".repeat(1 << 20) + "\"";
    RECORDS.put(
        WorkflowId.of("large"),
        List.of(
            completed("large", "pay#3", large),
            completed("large", "pay#2", large),
            completed("large", "pay#1", large)));
    JsonNode all = records("large", "");
    assertThat(all.get(0).has("result")).isTrue();
    assertThat(all.get(2).has("result")).isFalse();
    assertThat(all.get(2).get("resultBytes").asInt()).isEqualTo(large.length());
  }

  @Test
  void anIncidentHasTheRecordOfItsActivity() {
    Payment.strand(served, "incident");
    String runId = http.get(workflow("incident")).text("runId");
    Optional<Verdict> unsure =
        Optional.of(new Verdict(Verdict.Word.INDETERMINATE, "the bank timed out"));
    RECORDS.put(
        WorkflowId.of("incident"),
        List.of(
            record(
                "incident",
                "an earlier run",
                "pay#1",
                ActivityStatus.COMPLETED,
                Optional.of("1"),
                Optional.empty(),
                Optional.empty()),
            record(
                "incident",
                runId,
                "pay#1",
                ActivityStatus.INDETERMINATE,
                Optional.empty(),
                Optional.empty(),
                unsure)));
    JsonNode incident = http.get(workflow("incident", "incident")).body();
    assertThat(incident.at("/activity/runId").asText()).isEqualTo(runId);
    assertThat(incident.at("/activity/verdict/evidence").asText()).isEqualTo("the bank timed out");
    // However many calls the workflow has made since.
    List<ActivityRecord> many = new ArrayList<>();
    for (int i = 0; i < 200; i++) many.add(completed("incident", "other#" + i, "1"));
    many.addAll(RECORDS.get(WorkflowId.of("incident")));
    RECORDS.put(WorkflowId.of("incident"), many);
    assertThat(http.get(workflow("incident", "incident")).body().at("/activity/runId").asText())
        .isEqualTo(runId);
    RECORDS.remove(WorkflowId.of("incident"));
    assertThat(http.get(workflow("incident", "incident")).body().has("activity")).isFalse();
  }
}
