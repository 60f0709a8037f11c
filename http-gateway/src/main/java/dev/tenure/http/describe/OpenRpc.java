package dev.tenure.http.describe;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.http.api.Input;
import dev.tenure.http.api.Operation;
import dev.tenure.http.fault.ErrorCode;
import dev.tenure.http.schema.Components;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The same operations as an OpenRPC document, for {@code rpc.discover}. */
public final class OpenRpc {
  private OpenRpc() {}

  public static ObjectNode of(List<Operation> operations) {
    ObjectNode document = JsonNodeFactory.instance.objectNode().put("openrpc", "1.3.2");
    document.putObject("info").put("title", "Tenure").put("version", OpenApi.VERSION);
    Components components = new Components("#/components/schemas/");
    ArrayNode methods = document.putArray("methods");
    for (Operation operation : operations) {
      if (operation.isRpc()) methods.add(method(operation, components));
    }
    document.putObject("components").set("schemas", components.schemas());
    return document;
  }

  private static ObjectNode method(Operation operation, Components components) {
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("name", operation.method())
            .put("summary", operation.summary())
            .put("paramStructure", "by-name");
    ArrayNode params = node.putArray("params");
    for (Input input : operation.inputs()) {
      ObjectNode param = params.addObject().put("name", input.name());
      param.put("required", input.required());
      param.set("schema", Params.described(input, components));
    }
    Operation.Reply reply = operation.replies().getFirst();
    ObjectNode result = node.putObject("result").put("name", "result");
    result.set("schema", reply.schema().describe(components));
    errors(node.putArray("errors"), operation);
    return node;
  }

  private static void errors(ArrayNode errors, Operation operation) {
    Set<ErrorCode> all = EnumSet.copyOf(OpenApi.COMMON);
    all.addAll(operation.errors());
    for (ErrorCode code : all) {
      ObjectNode error = errors.addObject();
      error.put("code", code.rpcCode()).put("message", code.title());
      error.putObject("data").put("code", code.code()).put("type", code.type());
    }
  }
}
