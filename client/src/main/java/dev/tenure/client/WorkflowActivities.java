package dev.tenure.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/**
 * The keyed activities of one workflow, and what an operator does when the outcome of one cannot be
 * told. The orders are tried again as {@link WorkflowHandle#pause} is; one that comes twice, or
 * after another person's, is refused with {@link TenureException.NotNow}.
 */
public final class WorkflowActivities {
  private final TenureClient client;
  private final String workflow;

  WorkflowActivities(TenureClient client, String workflow) {
    this.client = client;
    this.workflow = workflow;
  }

  /**
   * What is known of its calls, those that were claimed last first.
   *
   * @param limit 1 to 1,000
   */
  public List<ActivityRecord> list(int limit) {
    Map<String, String> query = Map.of("limit", Integer.toString(limit));
    return client
        .send(Request.get(Request.workflow(workflow, "activities"), query))
        .all("activities", ActivityRecord::of);
  }

  /**
   * Says that it took effect: the workflow goes on with this result.
   *
   * @param operation as {@link Incident#operation} has it
   * @param result as the activity would have returned it; null when it returns nothing
   * @param note how that is known; it stands in the history
   */
  public boolean complete(String operation, Object result, String note) {
    return complete(AttemptRef.of(operation), result, note);
  }

  /** As above, of one attempt: refused when another one was made meanwhile. */
  public boolean complete(AttemptRef meant, Object result, String note) {
    ObjectNode body = client.object().put("note", note);
    meant.writeTo(body);
    body.set("result", client.payloads().sent(result, "the result"));
    return order(meant.operation(), "complete", body);
  }

  /** Says that it failed: the workflow's code learns this failure. */
  public boolean fail(String operation, StatedFailure failure, String note) {
    return fail(AttemptRef.of(operation), failure, note);
  }

  /** As above, of one attempt: refused when another one was made meanwhile. */
  public boolean fail(AttemptRef meant, StatedFailure failure, String note) {
    ObjectNode body = client.object().put("note", note);
    meant.writeTo(body);
    failure.writeTo(body);
    return order(meant.operation(), "fail", body);
  }

  /** Has its verifier asked again; false when nothing holds the workflow. */
  public boolean verifyAgain(String operation, String note) {
    return order(operation, "verify-again", client.object().put("note", note));
  }

  private boolean order(String operation, String word, ObjectNode body) {
    String path = Request.workflow(workflow, "operations", operation, word);
    return client.send(Request.post(path, body).notRepeatable()).flag("applied");
  }
}
