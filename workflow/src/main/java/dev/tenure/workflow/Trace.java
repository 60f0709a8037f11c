package dev.tenure.workflow;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The trace that a workflow belongs to, and in it the span under which it was started, as W3C Trace
 * Context has them. Recorded with the start: the same in every replay and after every crash.
 *
 * @param traceId 32 hexadecimal digits in lower case, not all 0
 * @param spanId 16 of them, not all 0
 * @param flags two of them; the lowest bit says that the trace is sampled
 */
public record Trace(String traceId, String spanId, String flags) {
  private static final Pattern TRACE_ID = Pattern.compile("(?!0{32})[0-9a-f]{32}");
  private static final Pattern SPAN_ID = Pattern.compile("(?!0{16})[0-9a-f]{16}");
  private static final Pattern FLAGS = Pattern.compile("[0-9a-f]{2}");

  /** What versions after 00 add comes behind another dash; ff is no version. */
  private static final Pattern HEADER =
      Pattern.compile(
          "(?!ff)([0-9a-f]{2})-(%s)-(%s)-(%s)(-.*)?".formatted(TRACE_ID, SPAN_ID, FLAGS));

  public Trace {
    require(TRACE_ID, "trace id", traceId);
    require(SPAN_ID, "span id", spanId);
    require(FLAGS, "trace flags", flags);
  }

  private static void require(Pattern form, String what, String text) {
    if (text == null || !form.matcher(text).matches())
      throw new IllegalArgumentException(
          "\"%s\" is no %s: see W3C Trace Context.".formatted(text, what));
  }

  /** Reads a {@code traceparent}; empty when it is malformed, which means as much as none. */
  public static Optional<Trace> of(String traceparent) {
    Matcher header = HEADER.matcher(traceparent);
    if (!header.matches()) return Optional.empty();
    boolean goesOn = header.group(5) != null;
    if (goesOn && header.group(1).equals("00")) return Optional.empty();
    return Optional.of(new Trace(header.group(2), header.group(3), header.group(4)));
  }

  /** The header that hands the trace on to the services that a step or an activity calls. */
  public String traceparent() {
    return "00-" + traceId + "-" + spanId + "-" + flags;
  }

  public boolean isSampled() {
    return (Character.digit(flags.charAt(1), 16) & 1) != 0;
  }

  /**
   * A span below this one, for applications that report spans of their own. Its id follows from
   * this one's and the name, so a repetition after a crash reports the same span and not one more.
   * All runs of a workflow share its trace: let the name contain the run, as an idempotency key
   * does.
   */
  public Trace span(String name) {
    byte[] hash = sha256(traceId + spanId + name);
    String id = HexFormat.of().formatHex(hash, 0, 8);
    // Once in 2^64 names.
    return new Trace(traceId, SPAN_ID.matcher(id).matches() ? id : spanId, flags);
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException everyPlatformHasIt) {
      throw new IllegalStateException(everyPlatformHasIt);
    }
  }

  @Override
  public String toString() {
    return traceparent();
  }
}
