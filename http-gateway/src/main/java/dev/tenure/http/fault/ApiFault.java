package dev.tenure.http.fault;

import dev.tenure.http.schema.FieldError;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A request that was not carried out, in the words of the API. */
public final class ApiFault extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final transient List<FieldError> errors;
  private final transient Map<String, Object> extras;
  private final transient Optional<Duration> retryAfter;

  private ApiFault(
      ErrorCode code,
      String detail,
      List<FieldError> errors,
      Map<String, Object> extras,
      Optional<Duration> retryAfter) {
    // Without a stack trace: it is expected, and thrown in masses under attack or overload.
    super(detail, null, false, false);
    this.code = code;
    this.errors = List.copyOf(errors);
    this.extras = extras;
    this.retryAfter = retryAfter;
  }

  public static ApiFault of(ErrorCode code, String detail) {
    return new ApiFault(code, detail, List.of(), Map.of(), Optional.empty());
  }

  /** Everything that is wrong with the inputs, at once. */
  public static ApiFault invalid(List<FieldError> errors) {
    return new ApiFault(
        ErrorCode.INVALID_REQUEST,
        errors.size() == 1 ? errors.getFirst().detail() : errors.size() + " things are wrong",
        errors,
        Map.of(),
        Optional.empty());
  }

  public static ApiFault invalid(String pointer, String detail) {
    return invalid(List.of(new FieldError(pointer, detail)));
  }

  public ApiFault with(String field, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(extras);
    more.put(field, value);
    return new ApiFault(code, getMessage(), errors, more, retryAfter);
  }

  public ApiFault at(List<FieldError> places) {
    return new ApiFault(code, getMessage(), places, extras, retryAfter);
  }

  public ApiFault retryAfter(Duration pause) {
    return new ApiFault(code, getMessage(), errors, extras, Optional.of(pause));
  }

  public ErrorCode code() {
    return code;
  }

  public String detail() {
    return getMessage();
  }

  public List<FieldError> errors() {
    return errors;
  }

  /** What else the answer names: ids, limits, a correlation id. Never a payload. */
  public Map<String, Object> extras() {
    return extras;
  }

  public Optional<Duration> retryAfter() {
    return retryAfter;
  }
}
