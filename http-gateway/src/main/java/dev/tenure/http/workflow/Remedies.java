package dev.tenure.http.workflow;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.http.api.Call;
import dev.tenure.http.fault.ApiFault;
import dev.tenure.http.schema.Schema;
import dev.tenure.http.schema.Schema.Choice;
import dev.tenure.http.schema.Schema.Text;
import dev.tenure.http.schema.Shape;
import dev.tenure.persistence.incident.IncidentFilter;
import dev.tenure.sharding.workflow.Remedy;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import java.util.List;
import java.util.Optional;

/** What is done about activities whose outcome cannot be told: the same words for one and many. */
public final class Remedies {
  private static final String VERIFY_AGAIN = "verify-again";
  private static final String RETRY = "retry";
  private static final String FAIL = "fail";
  private static final String COMPLETE = "complete";
  private static final String POSSIBLE = "possible";
  private static final String NONE = "none";

  static final Schema FAILURE_TYPE = new Text("type", 1, Failure.TYPE_CHARS_MAX);
  static final Schema FAILURE_MESSAGE = new Text("message", 0, Failure.MESSAGE_CHARS_MAX);
  static final Schema FAILURE_CODE = new Text("code", 1, Failure.CODE_CHARS_MAX);
  static final String FAILURE_TYPE_MEANS = "What kind of failure the workflow's code sees.";
  static final String EFFECT = "effect";
  static final Schema FAILURE_EFFECT = new Choice(List.of(POSSIBLE, NONE));
  static final String FAILURE_EFFECT_MEANS =
      "Whether the activity may have taken effect, as is assumed when this is absent: then a saga"
          + " undoes it. With none it does not.";
  static final String FAILURE_CODE_MEANS = "A word for machines, which the code may look at.";

  private Remedies() {}

  /** As an object of its own. */
  public static Schema schema() {
    return Shape.named("Remedy")
        .closed()
        .required(
            "do",
            new Choice(List.of(VERIFY_AGAIN, RETRY, FAIL, COMPLETE)),
            "All but verify-again narrow the filter to incidents of kind activity-indeterminate.")
        .optional("result", Shapes.PAYLOAD, "To complete: what each of them results in.")
        .optional(
            "failure",
            Shape.named("StatedFailure")
                .closed()
                .required("type", FAILURE_TYPE, FAILURE_TYPE_MEANS)
                .required("message", FAILURE_MESSAGE, "")
                .optional("code", FAILURE_CODE, FAILURE_CODE_MEANS)
                .optional(EFFECT, FAILURE_EFFECT, FAILURE_EFFECT_MEANS)
                .schema(),
            "To fail: the failure of each of them.")
        .schema();
  }

  /** What that input says; to verify again when it is absent. */
  public static Remedy of(Call call, String input) {
    if (call.input(input).isEmpty()) return Remedy.VERIFY_AGAIN;
    Call given = call.within(input);
    String word = given.textOf("do");
    requireFor(COMPLETE, given, input, "result");
    requireFor(FAIL, given, input, "failure");
    return switch (word) {
      case VERIFY_AGAIN -> Remedy.VERIFY_AGAIN;
      case RETRY -> Remedy.RUN_AGAIN;
      case COMPLETE -> new Remedy.Complete(given.payload("result"));
      case FAIL -> new Remedy.Fail(failure(given.within("failure")));
      default -> throw new IllegalArgumentException("\"%s\" is no remedy".formatted(word));
    };
  }

  /** A result that was forgotten is not taken for none: that is written as null. */
  private static void requireFor(String word, Call given, String input, String field) {
    boolean needed = given.textOf("do").equals(word);
    if (given.input(field).isPresent() == needed) return;
    throw ApiFault.invalid(
        "/%s/%s".formatted(input, field), needed ? "it is missing" : "it is only to " + word);
  }

  /** The word of that input, also when the rest of it does not fit. */
  public static String wordOf(Call call, String input) {
    return call.within(input).text("do").orElse(VERIFY_AGAIN);
  }

  /** The word for it. */
  public static String word(Remedy remedy) {
    return switch (remedy) {
      case Remedy.VerifyAgain() -> VERIFY_AGAIN;
      case Remedy.RunAgain() -> RETRY;
      case Remedy.Complete complete -> COMPLETE;
      case Remedy.Fail fail -> FAIL;
    };
  }

  /** As {@link #of} reads it, with the result in the form in which it may be kept. */
  public static ObjectNode written(Remedy remedy, Engine engine) {
    ObjectNode node = WorkflowJson.object();
    switch (remedy) {
      case Remedy.VerifyAgain() -> node.put("do", VERIFY_AGAIN);
      case Remedy.RunAgain() -> node.put("do", RETRY);
      case Remedy.Complete(Payload result) ->
          WorkflowJson.put(node.put("do", COMPLETE), "result", engine.workflows().received(result));
      case Remedy.Fail(Failure failure) -> {
        ObjectNode stated =
            node.put("do", FAIL)
                .putObject("failure")
                .put("type", failure.type())
                .put("message", failure.message());
        WorkflowJson.putText(stated, "code", failure.code());
        if (failure.outside() == Failure.OutsideEffect.NONE) stated.put(EFFECT, NONE);
      }
    }
    return node;
  }

  /** Of the incidents that match, those that this can be done about. */
  public static IncidentFilter within(IncidentFilter filter, Remedy remedy, String input) {
    try {
      return remedy.within(filter);
    } catch (IllegalArgumentException otherKind) {
      throw ApiFault.invalid("/%s/do".formatted(input), otherKind.getMessage());
    }
  }

  /**
   * A failure that a person states; the activity is not tried again after it. The call may have
   * been made all the same, unless the person says that it was not.
   */
  static Failure failure(Call given) {
    return new Failure(
            given.textOf("type"),
            given.textOf("message"),
            given.text("code"),
            false,
            "",
            Optional.empty())
        .with(
            given.text(EFFECT).map(NONE::equals).orElse(false)
                ? Failure.OutsideEffect.NONE
                : Failure.OutsideEffect.POSSIBLE);
  }
}
