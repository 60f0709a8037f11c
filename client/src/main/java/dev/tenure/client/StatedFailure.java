package dev.tenure.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * How an activity failed, as a person states it. The workflow's code sees it as the failure of the
 * activity.
 *
 * @param type what kind of failure, as the code may ask for it
 * @param code a word for machines
 */
public record StatedFailure(String type, String message, Optional<String> code) {
  public static StatedFailure of(String type, String message) {
    return new StatedFailure(type, message, Optional.empty());
  }

  public StatedFailure code(String word) {
    return new StatedFailure(type, message, Optional.of(word));
  }

  void writeTo(ObjectNode node) {
    node.put("type", type).put("message", message);
    code.ifPresent(word -> node.put("code", word));
  }
}
