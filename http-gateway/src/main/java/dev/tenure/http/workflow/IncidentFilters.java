package dev.tenure.http.workflow;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.http.api.Call;
import dev.tenure.http.api.Operation;
import dev.tenure.http.schema.Schema;
import dev.tenure.http.schema.Shape;
import dev.tenure.persistence.incident.IncidentFilter;

/** Which incidents are wanted: the same words in a query, in params and in a body. */
public final class IncidentFilters {
  private static final int WORD_BYTES_MAX = 256;
  private static final Schema KIND = new Schema.Text("kind", 1, WORD_BYTES_MAX);
  private static final Schema FINGERPRINT = new Schema.Text("fingerprint", 1, WORD_BYTES_MAX);

  private IncidentFilters() {}

  static Operation inQuery(Operation operation) {
    return operation
        .query("kind", KIND, "Of this kind.")
        .query("type", Shapes.TYPE, "Of workflows of this type, in any version.")
        .query("fingerprint", FINGERPRINT, "Of this cause.");
  }

  /** As an object of its own. */
  public static Schema schema() {
    return Shape.named("IncidentFilter")
        .closed()
        .optional("kind", KIND, "Of this kind.")
        .optional("type", Shapes.TYPE, "Of workflows of this type, in any version.")
        .optional("fingerprint", FINGERPRINT, "Of this cause.")
        .schema();
  }

  /** As {@link #of} reads it. */
  public static ObjectNode written(IncidentFilter filter) {
    ObjectNode node = WorkflowJson.object();
    WorkflowJson.putText(node, "kind", filter.kind());
    WorkflowJson.putText(node, "type", filter.type());
    WorkflowJson.putText(node, "fingerprint", filter.fingerprint());
    return node;
  }

  public static IncidentFilter of(Call call) {
    return new IncidentFilter(call.text("kind"), call.text("type"), call.text("fingerprint"));
  }
}
