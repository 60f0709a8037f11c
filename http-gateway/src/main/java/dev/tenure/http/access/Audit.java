package dev.tenure.http.access;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who did what as an operator, and whether it went through: one line each. */
@FunctionalInterface
public interface Audit {
  /**
   * @param outcome {@code done}, or the error code of the refusal
   */
  record Entry(String caller, String operation, String target, String outcome) {
    /** As JSON: nothing in a name can forge a line. */
    @Override
    public String toString() {
      ObjectNode node = JsonNodeFactory.instance.objectNode();
      node.put("caller", caller).put("operation", operation);
      return node.put("target", target).put("outcome", outcome).toString();
    }
  }

  void write(Entry entry);

  /** Into the log, under a name of its own, so that it can be kept apart. */
  static Audit log() {
    Logger log = LoggerFactory.getLogger("dev.tenure.audit");
    return entry -> log.info("{}", entry);
  }
}
