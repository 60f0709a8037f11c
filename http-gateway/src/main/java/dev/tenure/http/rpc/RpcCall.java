package dev.tenure.http.rpc;

import dev.tenure.http.fault.ApiFault;
import dev.tenure.http.fault.ErrorCode;
import dev.tenure.http.json.Json;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One call as JSON-RPC 2.0 has it.
 *
 * @param id empty for a notification, which is not answered
 */
record RpcCall(Optional<Json> id, String method, Map<String, Json> params) {
  private static final Set<String> FIELDS = Set.of("jsonrpc", "id", "method", "params");

  /** Throws when it is no call. */
  static RpcCall of(Json sent) {
    if (!(sent instanceof Json.Obj(Map<String, Json> fields, Json.Slice at))) {
      throw wrong("a call is an object, this is " + sent.kind());
    }
    for (String name : fields.keySet()) {
      if (!FIELDS.contains(name)) throw wrong("a call has no field like that: " + FIELDS);
    }
    if (!(fields.get("jsonrpc") instanceof Json.Text(String version, Json.Slice v))
        || !version.equals("2.0")) {
      throw wrong("the field jsonrpc has to be \"2.0\"");
    }
    if (!(fields.get("method") instanceof Json.Text(String method, Json.Slice m))) {
      throw wrong("the field method has to be a string");
    }
    Map<String, Json> params =
        switch (fields.get("params")) {
          case null -> Map.of();
          case Json.Obj object -> object.fields();
          default -> throw ApiFault.invalid("/params", "params are given by name, in an object");
        };
    return new RpcCall(idOf(sent), method, params);
  }

  /** The id of something that may be no call otherwise; empty when it has none that can be used. */
  static Optional<Json> idOf(Json sent) {
    if (!(sent instanceof Json.Obj(Map<String, Json> fields, Json.Slice at))) {
      return Optional.empty();
    }
    Json id = fields.get("id");
    if (id == null) return Optional.empty();
    return switch (id) {
      case Json.Text text -> Optional.of(text);
      case Json.Num number -> Optional.of(number);
      case Json.Null none -> Optional.of(none);
      case Json.Bool b -> throw wrong("an id is a string, a number or null");
      case Json.Arr a -> throw wrong("an id is a string, a number or null");
      case Json.Obj o -> throw wrong("an id is a string, a number or null");
    };
  }

  private static ApiFault wrong(String why) {
    return ApiFault.of(ErrorCode.INVALID_CALL, why);
  }
}
