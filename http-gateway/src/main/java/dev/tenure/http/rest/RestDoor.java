package dev.tenure.http.rest;

import dev.tenure.http.access.Caller;
import dev.tenure.http.api.Call;
import dev.tenure.http.api.Input;
import dev.tenure.http.api.Input.Place;
import dev.tenure.http.api.Operation;
import dev.tenure.http.api.PathText;
import dev.tenure.http.fault.ApiFault;
import dev.tenure.http.fault.ErrorCode;
import dev.tenure.http.json.Json;
import dev.tenure.http.json.JsonReader;
import dev.tenure.http.schema.FieldError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a request in HTTP asks for, gathered from its path, query, headers and body. */
public final class RestDoor {
  /** The parts of a request that an operation uses. */
  public interface Request {
    /**
     * All values of a header.
     *
     * @param name in lower case
     */
    List<String> header(String name);

    String rawQuery();

    /** Empty when there is none, and nothing says that there should be. */
    Optional<byte[]> body();

    /** How deep its JSON may be nested. */
    int jsonDepth();
  }

  private RestDoor() {}

  /** Throws unless everything is there and as it should be. */
  public static Call read(
      Routes.Match match, Request request, Caller caller, Call.UnderWay underWay) {
    Operation operation = match.operation();
    Map<String, Json> given = new LinkedHashMap<>();
    for (Input input : operation.inputs(Place.PATH)) {
      given.put(input.name(), input.schema().ofText(match.path().get(input.name())));
    }
    query(operation, request.rawQuery(), given);
    headers(operation, request, given);
    body(operation, request, given);
    return new Call(caller, operation.checked(given, ""), underWay);
  }

  private static void query(Operation operation, String raw, Map<String, Json> given) {
    if (raw.isEmpty()) return;
    for (String pair : raw.split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = text(equals < 0 ? pair : pair.substring(0, equals));
      String value = text(equals < 0 ? "" : pair.substring(equals + 1));
      Input input =
          operation.inputs(Place.QUERY).stream()
              .filter(known -> known.name().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      ApiFault.invalid(
                          "/" + JsonReader.escaped(name), "there is no such query parameter"));
      if (given.putIfAbsent(name, input.schema().ofText(value)) != null) {
        throw ApiFault.invalid("/" + JsonReader.escaped(name), "it stands there twice");
      }
    }
  }

  private static String text(String raw) {
    return PathText.decoded(raw, true)
        .orElseThrow(
            () ->
                ApiFault.of(
                    ErrorCode.INVALID_REQUEST,
                    "The query has an escape that is not well-formed UTF-8."));
  }

  private static void headers(Operation operation, Request request, Map<String, Json> given) {
    for (Input input : operation.inputs()) {
      switch (input.place()) {
        case KEY_HEADER -> put(input, request.header("idempotency-key"), given);
        // Several, or one that is malformed, count as none: tracing never fails a request.
        case TRACE_HEADER -> {
          List<String> values = request.header("traceparent");
          if (values.size() == 1 && isPrintable(values.getFirst())) put(input, values, given);
        }
        case EVENT_HEADER -> put(input, request.header("last-event-id"), given);
        case WAIT_PREFERENCE ->
            Preferences.of(request.header("prefer"))
                .wait(input)
                .ifPresent(value -> given.put(input.name(), value));
        case STRICT_PREFERENCE -> {
          if (Preferences.of(request.header("prefer")).strict()) {
            given.put(input.name(), new Json.Bool(true, Json.Slice.NONE));
          }
        }
        case PATH, QUERY, BODY -> {}
      }
    }
  }

  private static void put(Input input, List<String> values, Map<String, Json> given) {
    if (values.isEmpty()) return;
    String value = values.getFirst();
    if (values.size() > 1) {
      throw ApiFault.invalid("/" + input.name(), "its header stands there twice");
    }
    // Proxies and servers read other characters in a header in different ways.
    if (!isPrintable(value)) {
      throw ApiFault.invalid("/" + input.name(), "its header has more than printable ASCII in it");
    }
    given.put(input.name(), input.schema().ofText(value));
  }

  private static boolean isPrintable(String value) {
    return value.chars().allMatch(c -> c >= 0x20 && c < 0x7f);
  }

  private static void body(Operation operation, Request request, Map<String, Json> given) {
    Optional<byte[]> body = request.body();
    if (body.isEmpty()) return;
    if (!(JsonReader.read(body.get(), request.jsonDepth())
        instanceof Json.Obj(var fields, Json.Slice at))) {
      throw ApiFault.invalid("", "the body has to be a JSON object");
    }
    List<FieldError> unknown = new ArrayList<>(0);
    for (String name : fields.keySet()) {
      if (operation.has(name, Place.BODY)) continue;
      unknown.add(new FieldError("/" + JsonReader.escaped(name), "there is no such field"));
    }
    if (!unknown.isEmpty()) throw ApiFault.invalid(unknown);
    given.putAll(fields);
  }
}
