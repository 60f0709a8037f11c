package dev.tenure.http.workflow;

import dev.tenure.http.api.Call;
import dev.tenure.http.api.Input;
import dev.tenure.http.api.Input.Place;
import dev.tenure.http.api.Operation;
import dev.tenure.http.fault.StatusWord;
import dev.tenure.http.json.Json;
import dev.tenure.http.schema.Schema;
import dev.tenure.http.schema.Shape;
import dev.tenure.persistence.visibility.Attributes;
import dev.tenure.persistence.visibility.WorkflowFilter;
import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Status;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Which workflows are wanted: the same words in a query, in params and in a body. */
public final class Filters {
  private record Part(String name, Schema schema, String about) {}

  private static final List<Part> PARTS =
      List.of(
          new Part("status", Shapes.STATUSES, "Any of these."),
          new Part("type", Shapes.TYPE, "Of this type, in any version."),
          new Part("parent", Shapes.ID, "Children of this workflow."),
          new Part(
              "attributes",
              Shapes.ATTRIBUTES,
              "With all of these attributes; in a query, a JSON object."),
          new Part("startedFrom", Shapes.TIME, "Started at this moment or later."),
          new Part("startedBefore", Shapes.TIME, "Started before this moment."));

  private Filters() {}

  static Operation inQuery(Operation operation) {
    for (Part part : PARTS) {
      operation.input(new Input(part.name, Place.QUERY, part.schema, false, part.about));
    }
    return operation;
  }

  /** As an object of its own. */
  public static Schema schema() {
    Shape shape = Shape.named("WorkflowFilter").closed();
    for (Part part : PARTS) shape.optional(part.name, part.schema, part.about);
    return shape.schema();
  }

  public static WorkflowFilter of(Call call) {
    Set<Status> statuses =
        call.input("status").map(given -> ((Json.Arr) given).items()).orElse(List.of()).stream()
            .map(word -> StatusWord.parse(((Json.Text) word).value()))
            .collect(Collectors.toSet());
    Map<String, Attribute> attributes = new LinkedHashMap<>();
    call.input("attributes")
        .ifPresent(
            given ->
                ((Json.Obj) given)
                    .fields()
                    .forEach((name, value) -> attributes.put(name, StartOperations.of(value))));
    return new WorkflowFilter(
        statuses,
        call.text("type"),
        call.text("parent").map(WorkflowId::of),
        new Attributes(attributes),
        call.moment("startedFrom"),
        call.moment("startedBefore"));
  }
}
