package dev.tenure.node.command.remote;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A time as people write it, {@code 90s} or {@code 1h30m}, or as machines do, {@code PT90S}. */
final class Span implements ITypeConverter<Duration> {
  @Override
  public Duration convert(String text) {
    String upper = text.strip().toUpperCase(Locale.ROOT);
    boolean days = upper.endsWith("D");
    try {
      Duration span =
          Duration.parse(upper.startsWith("P") ? upper : days ? "P" + upper : "PT" + upper);
      if (!span.isNegative()) return span;
    } catch (DateTimeParseException e) {
      // Said below, in other words.
    }
    throw new TypeConversionException("\"" + text + "\" is no time like 90s, 5m or PT1H30M");
  }
}
