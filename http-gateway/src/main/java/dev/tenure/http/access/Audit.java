package dev.tenure.http.access;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who did what as an operator, and whether it went through: one line each. */
@FunctionalInterface
public interface Audit {
  /**
   * What exactly was ordered.
   *
   * @param step the operation of the workflow that the order is about
   * @param remedy what is done about the incidents, or to the workflows, of an order to many
   * @param bulkId of an order to many
   * @param note why, in the operator's words
   */
  record Details(
      Optional<String> step,
      Optional<String> remedy,
      Optional<String> bulkId,
      Optional<String> note) {
    public static final Details NONE =
        new Details(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    private void writeTo(ObjectNode node) {
      step.ifPresent(id -> node.put("step", id));
      remedy.ifPresent(word -> node.put("remedy", word));
      bulkId.ifPresent(id -> node.put("bulkId", id));
      note.ifPresent(text -> node.put("note", text));
    }
  }

  /**
   * @param operation of the API; {@code bulk.run} when a node carries an order to many out
   * @param target the workflow, the filter, or the order to many
   * @param outcome {@code done}, {@code unchanged}, or the error code of the refusal
   */
  record Entry(String caller, String operation, String target, Details details, String outcome) {
    /** As JSON: nothing in a name can forge a line. */
    @Override
    public String toString() {
      ObjectNode node = JsonNodeFactory.instance.objectNode();
      node.put("caller", caller).put("operation", operation).put("target", target);
      details.writeTo(node);
      return node.put("outcome", outcome).toString();
    }
  }

  void write(Entry entry);

  /** Into the log, under a name of its own, so that it can be kept apart. */
  static Audit log() {
    Logger log = LoggerFactory.getLogger("dev.tenure.audit");
    return entry -> log.info("{}", entry);
  }
}
