package dev.tenure.http.rpc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.tenure.http.access.Caller;
import dev.tenure.http.api.Answer;
import dev.tenure.http.api.Call;
import dev.tenure.http.api.Operation;
import dev.tenure.http.fault.ApiFault;
import dev.tenure.http.fault.ErrorCode;
import dev.tenure.http.fault.FaultJson;
import dev.tenure.http.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** The operations as methods of JSON-RPC 2.0. */
public final class RpcDoor {
  /** Calls in one batch. */
  public static final int BATCH_MAX = 100;

  public static final String DISCOVER = "rpc.discover";

  /** Checks and carries out a call, for all transports alike. */
  public interface Guard {
    /** Carries it out, if the caller may. */
    CompletionStage<Answer> perform(Operation operation, Call call);

    /** The fault that a client gets for a failure. */
    ApiFault fault(Throwable failure);
  }

  private final Map<String, Operation> methods = new LinkedHashMap<>();
  private final JsonNode discovery;
  private final Guard guard;

  public RpcDoor(List<Operation> operations, JsonNode discovery, Guard guard) {
    for (Operation operation : operations) {
      if (operation.isRpc()) methods.put(operation.method(), operation);
    }
    this.discovery = discovery;
    this.guard = guard;
  }

  /** The answer; empty when nothing but notifications was sent. */
  public CompletionStage<Optional<JsonNode>> handle(
      Json sent, Caller caller, Call.UnderWay request) {
    if (!(sent instanceof Json.Arr(List<Json> calls, Json.Slice at))) {
      return one(sent, false, caller, request)
          .thenApply(answer -> answer.map(JsonNode.class::cast));
    }
    if (calls.isEmpty()) {
      return done(error(Optional.empty(), invalid("a batch has at least one call")));
    }
    if (calls.size() > BATCH_MAX) {
      return done(
          error(
              Optional.empty(),
              invalid("%d calls, more than BATCH_MAX = %d".formatted(calls.size(), BATCH_MAX))));
    }
    return batch(calls, caller, request);
  }

  /** The number of operations that the request asks for. */
  public static int size(Json sent) {
    return sent instanceof Json.Arr(List<Json> calls, Json.Slice at)
        ? Math.clamp(calls.size(), 1, BATCH_MAX)
        : 1;
  }

  private CompletionStage<Optional<JsonNode>> batch(
      List<Json> calls, Caller caller, Call.UnderWay request) {
    List<CompletableFuture<Optional<ObjectNode>>> under =
        calls.stream().map(call -> one(call, true, caller, request).toCompletableFuture()).toList();
    return CompletableFuture.allOf(under.toArray(CompletableFuture[]::new))
        .thenApply(
            all -> {
              ArrayNode answers = JsonNodeFactory.instance.arrayNode();
              under.forEach(each -> each.join().ifPresent(answers::add));
              return answers.isEmpty() ? Optional.empty() : Optional.of(answers);
            });
  }

  private CompletionStage<Optional<ObjectNode>> one(
      Json sent, boolean inBatch, Caller caller, Call.UnderWay request) {
    Optional<Json> id = Optional.empty();
    try {
      id = RpcCall.idOf(sent);
      RpcCall call = RpcCall.of(sent);
      Optional<Json> answerTo = id;
      Optional<Operation> known = Optional.ofNullable(methods.get(call.method()));
      boolean alone = !inBatch && call.id().isPresent();
      if (!alone && known.filter(Operation::isAlone).isPresent())
        throw invalid(
            "%s is sent alone and with an id: tasks that nobody hears of at once are lost."
                .formatted(call.method()));
      return perform(call, caller, request)
          .handle(
              (result, failure) ->
                  call.id()
                      .map(
                          asked ->
                              failure == null
                                  ? answer(asked, result)
                                  : error(answerTo, guard.fault(failure))));
    } catch (RuntimeException e) {
      // A malformed call is answered: it cannot say that it is a notification.
      ApiFault fault = guard.fault(e);
      boolean silent = id.isEmpty() && fault.code() != ErrorCode.INVALID_CALL;
      return CompletableFuture.completedStage(
          silent ? Optional.empty() : Optional.of(error(id, fault)));
    }
  }

  private CompletionStage<JsonNode> perform(RpcCall call, Caller caller, Call.UnderWay request) {
    if (call.method().equals(DISCOVER)) return CompletableFuture.completedStage(discovery);
    Operation operation = methods.get(call.method());
    if (operation == null) {
      return CompletableFuture.failedStage(
          ApiFault.of(ErrorCode.NO_SUCH_ROUTE, "There is no such method; see " + DISCOVER + "."));
    }
    Call asked = new Call(caller, operation.checked(call.params(), "/params"), request);
    return guard
        .perform(operation, asked)
        .thenApply(
            answer ->
                switch (answer) {
                  case Answer.Said said -> said.body();
                  case Answer.Events events ->
                      throw new CompletionException(
                          new IllegalStateException("events are not for JSON-RPC"));
                });
  }

  private static CompletionStage<Optional<JsonNode>> done(ObjectNode answer) {
    return CompletableFuture.completedStage(Optional.of(answer));
  }

  private static ApiFault invalid(String why) {
    return ApiFault.of(ErrorCode.INVALID_CALL, why);
  }

  private static ObjectNode answer(Json id, JsonNode result) {
    ObjectNode node = JsonNodeFactory.instance.objectNode().put("jsonrpc", "2.0");
    putId(node, id);
    node.set("result", result);
    return node;
  }

  /** Also for what could not be read at all, when there is no id. */
  public static ObjectNode error(Optional<Json> id, ApiFault fault) {
    ObjectNode node = JsonNodeFactory.instance.objectNode().put("jsonrpc", "2.0");
    id.ifPresentOrElse(known -> putId(node, known), () -> node.putNull("id"));
    node.set("error", FaultJson.rpcError(fault));
    return node;
  }

  /** Exactly as it came: it is the caller's. */
  private static void putId(ObjectNode node, Json id) {
    node.putRawValue("id", new RawValue(new String(id.at().bytes(), StandardCharsets.UTF_8)));
  }
}
