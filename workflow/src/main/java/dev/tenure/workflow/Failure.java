package dev.tenure.workflow;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Why something failed, as data that can be stored, shown and turned into an exception again.
 *
 * @param type what kind of failure: the exception's class name, or one of the engine's own names
 * @param code a stable word for machines, if the code that failed gave one
 * @param retryable whether another attempt could help; a retry policy may still say no
 * @param stackText where it happened, for people; cut when long
 * @param form how the workflow's code gets it
 * @param outside what is known of the effect that the failed attempt may have had outside
 */
public record Failure(
    String type,
    String message,
    Optional<String> code,
    boolean retryable,
    String stackText,
    Optional<Failure> cause,
    Form form,
    OutsideEffect outside) {
  /** What is known of the effect that a failed attempt may have had outside of the engine. */
  public enum OutsideEffect {
    /** It may have had its effect. */
    POSSIBLE,
    /** It had none, or a person said that another attempt is to be made all the same. */
    NONE,
    /** Neither a record nor a verifier could tell: a person decides. */
    UNPROVEN
  }

  /** How the workflow's code gets a failure. It is decided where the exception is thrown. */
  public enum Form {
    /** As a record in an exception of the engine: its own cannot be made again as it was. */
    RECORD,
    /** As an exception of its own class, with the same message. */
    EXCEPTION,
    /** Not at all: it is an error of the JVM or of the code, and a person decides. */
    DEFECT
  }

  private static final Pattern CUT = Pattern.compile("… \\(cut, it had (\\d{1,10}) characters\\)$");

  public static final int TYPE_CHARS_MAX = 512;
  public static final int CODE_CHARS_MAX = 256;
  public static final int MESSAGE_CHARS_MAX = 4_096;
  public static final int STACK_CHARS_MAX = 8_192;
  public static final int CAUSES_MAX = 8;

  /** An attempt, an operation or a workflow that took too long. */
  public static final String TIMEOUT = "tenure.Timeout";

  /** A value too large to be kept. */
  public static final String TOO_LARGE = "tenure.TooLarge";

  /** The other workflow could not be started or reached. */
  public static final String UNDELIVERABLE = "tenure.Undeliverable";

  /** The workflow ended before it could do what was asked. */
  public static final String WORKFLOW_ENDED = "tenure.WorkflowEnded";

  /** Whether an activity took effect cannot be told. */
  public static final String INDETERMINATE = "tenure.ActivityIndeterminate";

  /** An activity took effect, and its result cannot be had any more. */
  public static final String RESULT_UNAVAILABLE = "tenure.ActivityResultUnavailable";

  /** The outside world does not agree any more with what an activity is recorded to have done. */
  public static final String RESOURCE_DIFFERS = "tenure.ResourceDiffers";

  /** The worker that had taken an activity from a queue did not report in time. */
  public static final String WORKER_LOST = "tenure.WorkerLost";

  /** A failure that the code gets as a record. */
  public Failure(
      String type,
      String message,
      Optional<String> code,
      boolean retryable,
      String stackText,
      Optional<Failure> cause) {
    this(type, message, code, retryable, stackText, cause, Form.RECORD);
  }

  /** A failure of an attempt that may have had an effect. */
  public Failure(
      String type,
      String message,
      Optional<String> code,
      boolean retryable,
      String stackText,
      Optional<Failure> cause,
      Form form) {
    this(type, message, code, retryable, stackText, cause, form, OutsideEffect.POSSIBLE);
  }

  public Failure {
    // A failure that is too long to be stored would hide the failure itself, so it is cut, visibly.
    type = cut(type, TYPE_CHARS_MAX);
    code = code.map(text -> cut(text, CODE_CHARS_MAX));
    message = cut(message, MESSAGE_CHARS_MAX);
    stackText = cut(stackText, STACK_CHARS_MAX);
    if (depth(cause) >= CAUSES_MAX) cause = Optional.of(withoutRoot(cause.get(), CAUSES_MAX - 1));
  }

  private static Failure withoutRoot(Failure failure, int levels) {
    Optional<Failure> rest =
        levels <= 1 ? Optional.empty() : failure.cause.map(next -> withoutRoot(next, levels - 1));
    return new Failure(
        failure.type,
        failure.message,
        failure.code,
        failure.retryable,
        failure.stackText,
        rest,
        failure.form,
        failure.outside);
  }

  /** The same failure, in another form for the code. */
  public Failure as(Form other) {
    return new Failure(type, message, code, retryable, stackText, cause, other, outside);
  }

  /** The same failure, with what is known of the effect of its attempt. */
  public Failure with(OutsideEffect known) {
    return new Failure(type, message, code, retryable, stackText, cause, form, known);
  }

  /**
   * The same failure of a call whose earlier attempts may have had their effect: that this attempt
   * had none says nothing of them.
   */
  public Failure afterDoubt() {
    return outside == OutsideEffect.NONE ? with(OutsideEffect.POSSIBLE) : this;
  }

  private static int depth(Optional<Failure> cause) {
    int depth = 0;
    for (Optional<Failure> at = cause; at.isPresent(); at = at.get().cause) depth++;
    return depth;
  }

  /** The text, or as much of it as fits, with a note that says how long it was. */
  public static String cut(String text, int charsMax) {
    if (text == null) return "";
    if (text.length() <= charsMax) return text;
    // A text that is cut a second time still says how long it was at first.
    Matcher before = CUT.matcher(text);
    String length = before.find() ? before.group(1) : Integer.toString(text.length());
    String note = "… (cut, it had " + length + " characters)";
    if (note.length() > charsMax / 2) note = "…";
    int end = charsMax - note.length();
    // Never between the two halves of one character: the rest would not be well-formed.
    if (Character.isHighSurrogate(text.charAt(end - 1))) end--;
    return text.substring(0, end) + note;
  }

  public static Failure retryable(String type, String message) {
    return new Failure(type, message, Optional.empty(), true, "", Optional.empty());
  }

  public static Failure permanent(String type, String message) {
    return new Failure(type, message, Optional.empty(), false, "", Optional.empty());
  }

  @Override
  public String toString() {
    return message.isEmpty() ? type : type + ": " + message;
  }
}
