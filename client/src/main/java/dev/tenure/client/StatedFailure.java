package dev.tenure.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * How an activity failed, as a person states it. The workflow's code sees it as the failure of the
 * activity.
 *
 * @param type what kind of failure, as the code may ask for it
 * @param code a word for machines
 * @param effect whether a saga has anything to undo
 */
public record StatedFailure(String type, String message, Optional<String> code, Effect effect) {
  /** What the person knows of the effect. */
  public enum Effect {
    /** The activity may have taken effect: a saga undoes it. */
    POSSIBLE,
    /** The person knows that it did not. */
    NONE
  }

  /** Of an activity that may have taken effect all the same. */
  public static StatedFailure of(String type, String message) {
    return new StatedFailure(type, message, Optional.empty(), Effect.POSSIBLE);
  }

  public StatedFailure code(String word) {
    return new StatedFailure(type, message, Optional.of(word), effect);
  }

  /** The activity took no effect, as the person knows: a saga does not undo it. */
  public StatedFailure withoutEffect() {
    return new StatedFailure(type, message, code, Effect.NONE);
  }

  void writeTo(ObjectNode node) {
    node.put("type", type).put("message", message);
    code.ifPresent(word -> node.put("code", word));
    if (effect == Effect.NONE) node.put("effect", "none");
  }
}
