package dev.tenure.generated;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.tenure.generated.api.ClusterApi;
import dev.tenure.generated.api.WorkflowsApi;
import dev.tenure.generated.model.AcceptedSignalResult;
import dev.tenure.generated.model.Problem;
import dev.tenure.generated.model.StartedWorkflow;
import dev.tenure.generated.model.Workflow;
import dev.tenure.generated.model.WorkflowPage;
import dev.tenure.generated.model.WorkflowResult;
import dev.tenure.generated.model.WorkflowRow;
import dev.tenure.generated.model.WorkflowsQueryRequest;
import dev.tenure.generated.model.WorkflowsSignalRequest;
import dev.tenure.generated.model.WorkflowsStartRequest;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What somebody would write first over a client that a generator made of the API's description. It
 * is compiled by {@code GeneratedClientTest}, together with that client, and belongs to no class
 * path before. Everything in here goes through types of the generated client.
 */
public final class Smoke {
  /**
   * Reserved in an address: it gets through only if the client escapes, and the server reads it.
   */
  private static final String ID = "order/17 %2F+ü";

  private final ApiClient client = new ApiClient();
  private final WorkflowsApi workflows;
  private final ClusterApi cluster;

  private Smoke(String server, String credential) {
    client.updateBaseUri(server);
    client.setRequestInterceptor(
        request -> request.setHeader("Authorization", "Bearer " + credential));
    workflows = new WorkflowsApi(client);
    cluster = new ClusterApi(client);
  }

  /** Throws when something is not as the description says. */
  public static void run(String server, String credential) throws Exception {
    new Smoke(server, credential).run();
  }

  private void run() throws Exception {
    start();
    signal();
    list();
    end();
    fail();
    same(cluster.clusterNodes().getNodes().size(), 1);
  }

  private static WorkflowsStartRequest basket() {
    return new WorkflowsStartRequest()
        .type("basket")
        .id(ID)
        .input(Map.of("name", "Ada", "since", "2026-01-02T03:04:05Z"))
        .attributes(Map.of("vip", true, "level", 3, "tags", List.of("a", "b"), "city", "Köln"));
  }

  private void start() throws ApiException {
    StartedWorkflow started = workflows.workflowsStart(basket(), null, "key-1");
    same(started.getWorkflowId(), ID);
    same(workflows.workflowsStart(basket(), null, "key-1").getRunId(), started.getRunId());
    Workflow basket = workflows.workflowsGet(ID);
    same(basket.getType(), "basket");
    same(basket.getVersion(), 1);
    same(basket.getAttributes().get("vip"), true);
    same(basket.getAttributes().get("tags"), List.of("a", "b"));
    same(basket.getEndedAt(), null);
    WorkflowResult open = workflows.workflowsResult(ID, null, null);
    same(open.getEnded(), false);
    same(open.getStatus(), null);
  }

  private void signal() throws ApiException {
    WorkflowsSignalRequest item =
        new WorkflowsSignalRequest().signalId("s/1").payload(Map.of("sku", "book", "count", 2));
    AcceptedSignalResult first = workflows.workflowsSignal(ID, "item", null, null, item);
    same(first.getSignalId(), "s/1");
    same(workflows.workflowsSignal(ID, "item", null, null, item), first);
    same(count(), 1);
  }

  private Object count() throws ApiException {
    return workflows.workflowsQuery(ID, "count", new WorkflowsQueryRequest()).getResult();
  }

  private void list() throws ApiException, JsonProcessingException {
    String wanted = client.getObjectMapper().writeValueAsString(Map.of("city", "Köln"));
    WorkflowPage page =
        workflows.workflowsList(
            List.of("running", "waiting"), "basket", null, wanted, null, null, 10, null);
    same(page.getWorkflows().stream().map(WorkflowRow::getWorkflowId).toList(), List.of(ID));
    same(page.getNext(), null);
  }

  private void end() throws ApiException {
    WorkflowsSignalRequest done =
        new WorkflowsSignalRequest().payload(Map.of("sku", "done", "count", 0));
    workflows.workflowsSignal(ID, "item", null, null, done);
    WorkflowResult result = workflows.workflowsResult(ID, null, "wait=30");
    same(result.getEnded(), true);
    same(result.getStatus(), WorkflowResult.StatusEnum.COMPLETED);
    Map<?, ?> filled = (Map<?, ?>) result.getResult();
    same(filled.get("items"), List.of(Map.of("sku", "book", "count", 2)));
    same(workflows.workflowsHistory(ID, null, 1, null).getCommits().getFirst().getVersion(), 1L);
    workflows.workflowsStart(new WorkflowsStartRequest().type("failing").id("failing"), null, null);
    WorkflowResult failed = workflows.workflowsResult("failing", null, "wait=30");
    same(failed.getFailure().getCode(), "no-stock");
    same(failed.getFailure().getRetryable(), false);
  }

  private void fail() throws Exception {
    Problem nobody = problem(404, () -> workflows.workflowsGet("nobody"));
    same(nobody.getCode(), "WorkflowNotFound");
    Problem taken =
        problem(409, () -> workflows.workflowsStart(basket().type("failing"), null, null));
    same(taken.getCode(), "WorkflowAlreadyExists");
    same(taken.getWorkflowId(), ID);
    Problem wrong =
        problem(
            400,
            () ->
                workflows.workflowsStart(new WorkflowsStartRequest().type("").id(""), null, null));
    same(
        wrong.getErrors().stream().map(error -> error.getPointer()).sorted().toList(),
        List.of("/id", "/type"));
    client.setRequestInterceptor(request -> {});
    WorkflowsApi stranger = new WorkflowsApi(client);
    same(problem(401, () -> stranger.workflowsGet(ID)).getCode(), "Unauthorized");
  }

  private interface Attempt {
    void make() throws ApiException;
  }

  private Problem problem(int status, Attempt attempt) throws JsonProcessingException {
    try {
      attempt.make();
    } catch (ApiException e) {
      same(e.getCode(), status);
      return client.getObjectMapper().readValue(e.getResponseBody(), Problem.class);
    }
    throw new AssertionError("a " + status + " was expected");
  }

  private static void same(Object found, Object wanted) {
    if (!Objects.equals(found, wanted)) throw new AssertionError(found + ", not " + wanted);
  }
}
