package dev.tenure.http.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.http.access.Audit;
import dev.tenure.http.access.Scope;
import dev.tenure.http.api.Answer;
import dev.tenure.http.api.Call;
import dev.tenure.http.api.Operation;
import dev.tenure.http.bulk.BulkRoutes;
import dev.tenure.http.fault.ApiFault;
import dev.tenure.http.fault.ErrorCode;
import dev.tenure.http.fault.Faults;
import dev.tenure.http.json.Json;
import dev.tenure.http.rpc.RpcDoor;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks for every call, over REST and RPC, whether it is allowed, and logs who did what. */
final class Guardian implements RpcDoor.Guard {
  private static final Logger log = LoggerFactory.getLogger(Guardian.class);

  /** Of a filter in the audit log. */
  private static final int FILTER_CHARACTERS_MAX = 1_000;

  private final Audit audit;
  private final Supplier<String> correlationIds;

  Guardian(Audit audit, Supplier<String> correlationIds) {
    this.audit = audit;
    this.correlationIds = correlationIds;
  }

  @Override
  public CompletionStage<Answer> perform(Operation operation, Call call) {
    CompletionStage<Answer> answer = attempt(operation, call);
    if (!operation.isAudited()) return answer;
    return answer.whenComplete(
        (done, failure) ->
            audit.write(
                new Audit.Entry(
                    call.caller().name(),
                    operation.name(),
                    target(call, done),
                    new Audit.Details(
                        call.text("operation"),
                        BulkRoutes.remedy(operation, call),
                        bulkId(done),
                        call.text("note").or(() -> call.text("reason"))),
                    failure == null ? "done" : fault(failure).code().code())));
  }

  private static String target(Call call, Answer answer) {
    return call.text("workflowId")
        .or(() -> call.input("filter").map(Guardian::written))
        .or(() -> bulkId(answer))
        .orElse("");
  }

  /** Of an order to many: only its answer says which one it is. */
  private static Optional<String> bulkId(Answer answer) {
    return answer instanceof Answer.Said said
        ? Optional.ofNullable(said.body().get("bulkId")).map(JsonNode::asText)
        : Optional.empty();
  }

  private static String written(Json filter) {
    String text = new String(filter.at().bytes(), StandardCharsets.UTF_8);
    return text.substring(0, Math.min(text.length(), FILTER_CHARACTERS_MAX));
  }

  private static CompletionStage<Answer> attempt(Operation operation, Call call) {
    if (!call.caller().mayDo(operation.scopes())) {
      return CompletableFuture.failedStage(
          ApiFault.of(
              ErrorCode.FORBIDDEN,
              "This needs one of the scopes %s."
                  .formatted(operation.scopes().stream().map(Scope::word).sorted().toList())));
    }
    try {
      return operation.handle(call);
    } catch (RuntimeException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  /** An unexpected failure is logged with its stack; the client gets only its number. */
  @Override
  public ApiFault fault(Throwable failure) {
    return Faults.of(failure).orElseGet(() -> masked(failure));
  }

  private ApiFault masked(Throwable failure) {
    String correlationId = correlationIds.get();
    log.error("a request failed in an unforeseen way, correlation id {}", correlationId, failure);
    return ApiFault.of(
            ErrorCode.ENGINE_FAILURE, "The log of the node has more, under the correlation id.")
        .with("correlationId", correlationId);
  }
}
