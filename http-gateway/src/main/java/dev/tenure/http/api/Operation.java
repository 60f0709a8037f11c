package dev.tenure.http.api;

import dev.tenure.http.access.Scope;
import dev.tenure.http.api.Input.Place;
import dev.tenure.http.fault.ApiFault;
import dev.tenure.http.fault.ErrorCode;
import dev.tenure.http.json.Json;
import dev.tenure.http.json.JsonReader;
import dev.tenure.http.schema.FieldError;
import dev.tenure.http.schema.Schema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * One thing that can be asked of the server, described once: routes, JSON-RPC methods, OpenAPI and
 * OpenRPC are all read from this, and so is the check of what comes in.
 */
public final class Operation {
  /** A method of HTTP. */
  public enum Verb {
    GET,
    POST
  }

  /** What comes back with a status. */
  public record Reply(int status, String about, Schema schema) {}

  private final String name;
  private final Verb verb;
  private final String path;
  private final String summary;
  private final List<Input> inputs = new ArrayList<>();
  // Asked with every request: nothing is gathered anew then.
  private final Map<String, Input> byName = new HashMap<>();
  private final Map<Place, List<Input>> byPlace = new EnumMap<>(Place.class);
  private final List<Reply> replies = new ArrayList<>();
  private final Set<ErrorCode> errors = EnumSet.noneOf(ErrorCode.class);
  private Set<Scope> scopes = Set.of(Scope.CLIENT, Scope.OPERATOR);
  private boolean audited;
  private boolean rpc = true;
  private boolean events;
  private boolean alone;
  private Function<Call, CompletionStage<Answer>> handler;

  private Operation(String name, Verb verb, String path, String summary) {
    this.name = name;
    this.verb = verb;
    this.path = path;
    this.summary = summary;
  }

  /**
   * @param name {@code workflows.start}: the operation id, and behind {@code tenure.} the method
   * @param path with inputs in braces
   */
  public static Operation get(String name, String path, String summary) {
    return new Operation(name, Verb.GET, path, summary);
  }

  public static Operation post(String name, String path, String summary) {
    return new Operation(name, Verb.POST, path, summary);
  }

  public Operation input(Input input) {
    inputs.add(input);
    byName.put(input.name(), input);
    byPlace.computeIfAbsent(input.place(), place -> new ArrayList<>()).add(input);
    return this;
  }

  public Operation path(String input, Schema schema, String about) {
    return input(new Input(input, Place.PATH, schema, true, about));
  }

  public Operation query(String input, Schema schema, String about) {
    return input(new Input(input, Place.QUERY, schema, false, about));
  }

  public Operation required(String input, Schema schema, String about) {
    return input(new Input(input, Place.BODY, schema, true, about));
  }

  public Operation optional(String input, Schema schema, String about) {
    return input(new Input(input, Place.BODY, schema, false, about));
  }

  /** Answers of one shape for all statuses: generated clients have one type. */
  public Operation replies(int status, String about, Schema schema) {
    if (replies.stream().anyMatch(other -> !other.schema().equals(schema))) {
      throw new IllegalArgumentException(name + " answers with two shapes");
    }
    replies.add(new Reply(status, about, schema));
    return this;
  }

  public Operation fails(ErrorCode... codes) {
    errors.addAll(List.of(codes));
    return this;
  }

  /** Only these may; and each use is written into the audit log. */
  public Operation operators(Scope... allowed) {
    scopes = Set.of(allowed);
    audited = true;
    return this;
  }

  public Operation scopes(Scope... allowed) {
    scopes = Set.of(allowed);
    return this;
  }

  public Operation restOnly() {
    rpc = false;
    return this;
  }

  /** It answers with a stream of events. */
  public Operation events() {
    events = true;
    return restOnly();
  }

  /**
   * Its answer is lost work unless it reaches its sender at once: over JSON-RPC it is neither a
   * notification nor a part of a batch.
   */
  public Operation alone() {
    alone = true;
    return this;
  }

  public Operation handledBy(Function<Call, CompletionStage<Answer>> code) {
    handler = code;
    return this;
  }

  public String name() {
    return name;
  }

  public String method() {
    return "tenure." + name;
  }

  public Verb verb() {
    return verb;
  }

  public String path() {
    return path;
  }

  public String summary() {
    return summary;
  }

  public List<Input> inputs() {
    return Collections.unmodifiableList(inputs);
  }

  public List<Input> inputs(Place place) {
    return Collections.unmodifiableList(byPlace.getOrDefault(place, List.of()));
  }

  /** Whether there is an input of this name that travels there. */
  public boolean has(String input, Place place) {
    Input known = byName.get(input);
    return known != null && known.place() == place;
  }

  public List<Reply> replies() {
    return List.copyOf(replies);
  }

  /** What of the error table an answer may be, beside what any request may get. */
  public Set<ErrorCode> errors() {
    return errors;
  }

  public Set<Scope> scopes() {
    return scopes;
  }

  public boolean isAudited() {
    return audited;
  }

  public boolean isRpc() {
    return rpc;
  }

  public boolean isAlone() {
    return alone;
  }

  public boolean isEvents() {
    return events;
  }

  /** Throws unless every input is of its schema and none is missing or unknown. */
  public Map<String, Json> checked(Map<String, Json> given, String base) {
    List<FieldError> found = new ArrayList<>();
    Map<String, Json> known = new LinkedHashMap<>();
    for (Input input : inputs) {
      Json value = given.get(input.name());
      boolean absent = value == null || (value instanceof Json.Null && !input.required());
      if (absent && !input.required()) continue;
      String pointer = base + "/" + JsonReader.escaped(input.name());
      if (absent) found.add(new FieldError(pointer, "it is missing"));
      if (absent) continue;
      input.schema().check(value, pointer, found);
      known.put(input.name(), value);
    }
    for (String name : given.keySet()) {
      if (!byName.containsKey(name)) {
        found.add(new FieldError(base + "/" + JsonReader.escaped(name), "there is no such input"));
      }
    }
    if (!found.isEmpty()) throw ApiFault.invalid(found);
    return known;
  }

  public CompletionStage<Answer> handle(Call call) {
    return handler.apply(call);
  }
}
