package dev.tenure.http.rest;

import dev.tenure.http.api.Operation;
import dev.tenure.http.api.PathText;
import dev.tenure.http.fault.ApiFault;
import dev.tenure.http.fault.ErrorCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** Which operation a path and a method mean. */
public final class Routes {
  /** An operation, and what stands in its path. */
  public record Match(Operation operation, Map<String, String> path) {}

  private record Route(Operation operation, List<String> parts) {
    long inputs() {
      return parts.stream().filter(Route::isInput).count();
    }

    private static boolean isInput(String part) {
      return part.startsWith("{");
    }

    /** What its inputs are, when the path is of this form. */
    Optional<Map<String, String>> match(List<String> path) {
      if (path.size() != parts.size()) return Optional.empty();
      for (int i = 0; i < parts.size(); i++) {
        if (!isInput(parts.get(i)) && !parts.get(i).equals(path.get(i))) return Optional.empty();
      }
      Map<String, String> inputs = new LinkedHashMap<>();
      for (int i = 0; i < parts.size(); i++) {
        String part = parts.get(i);
        if (isInput(part)) inputs.put(part.substring(1, part.length() - 1), path.get(i));
      }
      return Optional.of(inputs);
    }
  }

  private final List<Route> routes;

  public Routes(List<Operation> operations) {
    routes =
        operations.stream()
            .map(operation -> new Route(operation, parts(operation.path())))
            // A word goes before an input: `start-or-signal` is no workflow's id for a POST.
            .sorted(Comparator.comparingLong(Route::inputs))
            .toList();
  }

  private static List<String> parts(String path) {
    return List.of(path.substring(1).split("/", -1));
  }

  /** Throws when there is no such path, or none with this method. */
  public Match match(String method, List<String> path) {
    TreeSet<String> other = new TreeSet<>();
    for (Route route : routes) {
      Optional<Map<String, String>> inputs = route.match(path);
      if (inputs.isEmpty()) continue;
      String verb = route.operation.verb().name();
      if (verb.equals(method)) return new Match(route.operation, inputs.get());
      other.add(verb);
    }
    if (other.isEmpty()) {
      throw ApiFault.of(ErrorCode.NO_SUCH_ROUTE, "See /api/openapi.json for what is there.");
    }
    throw ApiFault.of(ErrorCode.METHOD_NOT_ALLOWED, "Use " + String.join(" or ", other) + ".")
        .with("allow", String.join(", ", other));
  }

  /** The parts of a path as texts; a part that is no text is an error, never mended. */
  public static List<String> partsOf(String rawPath) {
    List<String> decoded = new ArrayList<>();
    for (String raw : parts(rawPath)) {
      decoded.add(
          PathText.decoded(raw, false)
              .orElseThrow(
                  () ->
                      ApiFault.of(
                          ErrorCode.INVALID_REQUEST,
                          "The path has an escape that is not well-formed UTF-8.")));
    }
    return decoded;
  }
}
