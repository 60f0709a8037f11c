package dev.tenure.sharding.workflow;

import dev.tenure.workflow.Text;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.operation.OperationId;
import java.util.Optional;

/**
 * A new workflow that goes on where another one was just before one of its operations.
 *
 * @param from the operation that is run again; everything that came out before it is copied
 * @param id of the new workflow
 * @param version of the code; the old workflow's when empty
 * @param request what the caller calls this fork: the same again is recognised
 */
public record ForkRequest(
    WorkflowId source,
    OperationId from,
    WorkflowId id,
    Optional<Integer> version,
    Optional<String> request) {
  public ForkRequest {
    version.ifPresent(number -> WorkflowType.requireVersion("the fork", number));
    request.ifPresent(text -> Text.require("fork request", text, StartRequest.REQUEST_BYTES_MAX));
  }

  public static ForkRequest of(String source, String from, String id) {
    return new ForkRequest(
        WorkflowId.of(source),
        new OperationId(from),
        WorkflowId.of(id),
        Optional.empty(),
        Optional.empty());
  }

  public ForkRequest version(int number) {
    return new ForkRequest(source, from, id, Optional.of(number), request);
  }

  public ForkRequest request(String key) {
    return new ForkRequest(source, from, id, version, Optional.of(key));
  }
}
