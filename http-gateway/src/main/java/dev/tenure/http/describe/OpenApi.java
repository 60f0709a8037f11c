package dev.tenure.http.describe;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.http.access.Scope;
import dev.tenure.http.api.Input;
import dev.tenure.http.api.Input.Place;
import dev.tenure.http.api.Operation;
import dev.tenure.http.fault.ErrorCode;
import dev.tenure.http.fault.FaultJson;
import dev.tenure.http.schema.Components;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The API as OpenAPI 3.1, read from the operations that the server routes to. */
public final class OpenApi {
  /** Of the API, not of the engine: additions raise the second number. */
  public static final String VERSION = "1.0.0";

  /** The answers that any request may get. */
  public static final Set<ErrorCode> COMMON =
      EnumSet.of(
          ErrorCode.INVALID_REQUEST,
          ErrorCode.UNAUTHORIZED,
          ErrorCode.FORBIDDEN,
          ErrorCode.RATE_LIMITED,
          ErrorCode.OVERLOADED,
          ErrorCode.STORAGE_UNAVAILABLE,
          ErrorCode.STORAGE_OUTCOME_UNKNOWN,
          ErrorCode.HEADERS_TOO_LARGE,
          ErrorCode.URI_TOO_LONG,
          ErrorCode.ENGINE_FAILURE);

  /** What a request with a body may get beside that. */
  public static final Set<ErrorCode> OF_BODIES =
      EnumSet.of(
          ErrorCode.INVALID_JSON,
          ErrorCode.REQUEST_TIMEOUT,
          ErrorCode.PAYLOAD_TOO_LARGE,
          ErrorCode.UNSUPPORTED_MEDIA_TYPE);

  private OpenApi() {}

  public static ObjectNode of(List<Operation> operations) {
    ObjectNode document = JsonNodeFactory.instance.objectNode().put("openapi", "3.1.0");
    document
        .putObject("info")
        .put("title", "Tenure")
        .put("version", VERSION)
        .put("summary", "A durable workflow engine")
        .putObject("license")
        .put("name", "Apache-2.0")
        .put("identifier", "Apache-2.0");
    document.putArray("servers").addObject().put("url", "/");
    Components components = new Components("#/components/schemas/");
    ObjectNode paths = document.putObject("paths");
    for (Operation operation : operations) {
      ObjectNode path =
          paths.has(operation.path())
              ? (ObjectNode) paths.get(operation.path())
              : paths.putObject(operation.path());
      path.set(operation.verb().name().toLowerCase(Locale.ROOT), of(operation, components));
    }
    ObjectNode parts = document.putObject("components");
    ObjectNode schemas = components.schemas();
    schemas.set("Problem", problem());
    parts.set("schemas", schemas);
    security(document, parts);
    return document;
  }

  private static ObjectNode of(Operation operation, Components components) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("operationId", operationId(operation)).put("summary", operation.summary());
    node.putArray("tags").add(operation.name().substring(0, operation.name().indexOf('.')));
    node.put(
        "description",
        "Scopes: "
            + String.join(", ", operation.scopes().stream().map(Scope::word).sorted().toList()));
    parameters(node, operation, components);
    body(node, operation, components);
    responses(node.putObject("responses"), operation, components);
    return node;
  }

  /** Dots are no part of a name in most languages that clients are generated for. */
  static String operationId(Operation operation) {
    StringBuilder id = new StringBuilder();
    for (String word : operation.name().split("\\.")) {
      id.append(id.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
    }
    return id.toString();
  }

  private static void parameters(ObjectNode node, Operation operation, Components components) {
    ArrayNode parameters = JsonNodeFactory.instance.arrayNode();
    boolean preference = false;
    for (Input input : operation.inputs()) {
      switch (input.place()) {
        case PATH -> parameters.add(parameter(input, input.name(), "path", components));
        case QUERY -> parameters.add(parameter(input, input.name(), "query", components));
        case KEY_HEADER ->
            parameters.add(parameter(input, "Idempotency-Key", "header", components));
        case EVENT_HEADER ->
            parameters.add(parameter(input, "Last-Event-ID", "header", components));
        case TRACE_HEADER -> parameters.add(parameter(input, "traceparent", "header", components));
        case WAIT_PREFERENCE, STRICT_PREFERENCE -> preference = true;
        case BODY -> {}
      }
    }
    if (preference) {
      ObjectNode prefer =
          parameters.addObject().put("name", "Prefer").put("in", "header").put("required", false);
      prefer.put(
          "description",
          "wait=N waits up to N seconds for the end; handling=strict makes it 408 when that does"
              + " not come.");
      prefer.putObject("schema").put("type", "string");
    }
    if (!parameters.isEmpty()) node.set("parameters", parameters);
  }

  private static ObjectNode parameter(Input input, String name, String in, Components components) {
    ObjectNode node = JsonNodeFactory.instance.objectNode().put("name", name).put("in", in);
    node.put("required", input.required());
    if (!input.about().isEmpty()) node.put("description", input.about());
    ObjectNode schema = input.schema().describe(components);
    if (schema.path("type").asText().equals("object")) {
      // In a query it is one text of JSON. OpenAPI has "content" for that, but clients generated //
      // from it send a map as their language prints it.
      ObjectNode text = node.putObject("schema").put("type", "string");
      text.put("contentMediaType", "application/json").set("contentSchema", schema);
      return node;
    }
    if (schema.path("type").asText().equals("array"))
      node.put("style", "form").put("explode", false);
    node.set("schema", schema);
    return node;
  }

  private static void body(ObjectNode node, Operation operation, Components components) {
    List<Input> inputs = operation.inputs(Place.BODY);
    if (inputs.isEmpty()) return;
    ObjectNode body = node.putObject("requestBody");
    body.put("required", inputs.stream().anyMatch(Input::required));
    String name = operationId(operation);
    String title = Character.toUpperCase(name.charAt(0)) + name.substring(1) + "Request";
    ObjectNode schema = Params.object(inputs, components);
    components.schemas().set(title, schema);
    body.putObject("content")
        .putObject("application/json")
        .putObject("schema")
        .put("$ref", "#/components/schemas/" + title);
  }

  private static void responses(ObjectNode node, Operation operation, Components components) {
    for (Operation.Reply reply : operation.replies()) {
      ObjectNode response = node.putObject(String.valueOf(reply.status()));
      response.put("description", reply.about().isEmpty() ? operation.summary() : reply.about());
      if (reply.status() == 201) {
        ObjectNode location = response.putObject("headers").putObject("Location");
        location.put("description", "Where it can be looked at.");
        location.putObject("schema").put("type", "string");
      }
      String media = operation.isEvents() ? "text/event-stream" : "application/json";
      response
          .putObject("content")
          .putObject(media)
          .set("schema", reply.schema().describe(components));
    }
    Map<Integer, List<String>> problems = new TreeMap<>();
    Set<ErrorCode> all = EnumSet.copyOf(COMMON);
    if (!operation.inputs(Place.BODY).isEmpty()) all.addAll(OF_BODIES);
    all.addAll(operation.errors());
    for (ErrorCode code : all) {
      problems.computeIfAbsent(code.status(), status -> new ArrayList<>()).add(code.code());
    }
    problems.forEach(
        (status, codes) -> {
          ObjectNode response = node.putObject(String.valueOf(status));
          response.put("description", "One of: " + String.join(", ", codes) + ".");
          response
              .putObject("content")
              .putObject(FaultJson.PROBLEM)
              .putObject("schema")
              .put("$ref", "#/components/schemas/Problem");
        });
  }

  private static ObjectNode problem() {
    ObjectNode node = JsonNodeFactory.instance.objectNode().put("type", "object");
    node.put("description", "What went wrong (RFC 9457). Some kinds have more fields.");
    ObjectNode fields = node.putObject("properties");
    fields.putObject("type").put("type", "string").put("description", "The kind, as a URN.");
    fields.putObject("title").put("type", "string");
    fields.putObject("status").put("type", "integer");
    ObjectNode code = fields.putObject("code").put("type", "string");
    code.put("description", "The kind, for programs. Kinds may be added.");
    ArrayNode examples = code.putArray("examples");
    for (ErrorCode each : ErrorCode.values()) examples.add(each.code());
    fields.putObject("detail").put("type", "string");
    ObjectNode errors = fields.putObject("errors").put("type", "array");
    ObjectNode item = errors.putObject("items").put("type", "object");
    ObjectNode properties = item.putObject("properties");
    properties.putObject("pointer").put("type", "string").put("description", "A JSON pointer.");
    properties.putObject("detail").put("type", "string");
    item.putArray("required").add("pointer").add("detail");
    for (String name :
        List.of(
            "workflowId",
            "runId",
            "signalName",
            "signalId",
            "correlationId",
            "limit",
            "workflowStatus")) {
      fields.putObject(name).put("type", "string");
    }
    node.putArray("required").add("type").add("title").add("status").add("code");
    return node;
  }

  private static void security(ObjectNode document, ObjectNode parts) {
    ObjectNode schemes = parts.putObject("securitySchemes");
    schemes
        .putObject("bearer")
        .put("type", "http")
        .put("scheme", "bearer")
        .put("description", "An API key, or a signed JWT where the server is set up for them.");
    ArrayNode wanted = document.putArray("security");
    wanted.addObject().putArray("bearer");
  }
}
