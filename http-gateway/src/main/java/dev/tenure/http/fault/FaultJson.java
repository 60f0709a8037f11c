package dev.tenure.http.fault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.http.schema.FieldError;
import java.util.List;

/** A fault as each transport writes it. */
public final class FaultJson {
  public static final String PROBLEM = "application/problem+json";

  private FaultJson() {}

  /** As {@code application/problem+json} (RFC 9457). */
  public static ObjectNode problem(ApiFault fault) {
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("type", fault.code().type())
            .put("title", fault.code().title())
            .put("status", fault.code().status())
            .put("code", fault.code().code());
    details(node, fault);
    return node;
  }

  /** As the {@code error} of a JSON-RPC answer. */
  public static ObjectNode rpcError(ApiFault fault) {
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("code", fault.code().rpcCode())
            .put("message", fault.code().title());
    ObjectNode data = node.putObject("data");
    data.put("type", fault.code().type()).put("code", fault.code().code());
    details(data, fault);
    fault.retryAfter().ifPresent(pause -> data.put("retryAfterSeconds", pause.toSeconds()));
    return node;
  }

  private static void details(ObjectNode node, ApiFault fault) {
    if (fault.detail() != null) node.put("detail", fault.detail());
    if (!fault.errors().isEmpty()) node.set("errors", errors(fault.errors()));
    fault.extras().forEach((name, value) -> put(node, name, value));
  }

  private static void put(ObjectNode node, String name, Object value) {
    if (value instanceof JsonNode tree) node.set(name, tree);
    else node.put(name, String.valueOf(value));
  }

  private static ArrayNode errors(List<FieldError> errors) {
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    for (FieldError error : errors) {
      all.addObject().put("pointer", error.pointer()).put("detail", error.detail());
    }
    return all;
  }
}
