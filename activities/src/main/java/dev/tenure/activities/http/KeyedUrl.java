package dev.tenure.activities.http;

import dev.tenure.activities.outbound.OutboundRefusedException;
import dev.tenure.workflow.ActivityContext;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** The URL under which another system tells what became of a call. */
@FunctionalInterface
public interface KeyedUrl<I> {
  /** Where the call's stable key stands in a template. */
  String KEY = "{key}";

  /** Where the key that the workflow's code gave the call stands in a template. */
  String DECLARED_KEY = "{declaredKey}";

  String of(ActivityContext context, I input);

  /**
   * Such as {@code https://api.example.org/charges/{key}}. A template without a key would ask the
   * same of every call, so it is refused.
   */
  static <I> KeyedUrl<I> template(String template) {
    if (!template.contains(KEY) && !template.contains(DECLARED_KEY))
      throw new IllegalArgumentException(
          "The URL of a verifier has to contain %s or %s.".formatted(KEY, DECLARED_KEY));
    return (context, input) ->
        fill(
            fill(template, KEY, context.idempotencyKey()),
            DECLARED_KEY,
            context.declaredKey().orElse(""));
  }

  /**
   * The text as a part of a path or of a query. A lone dot or two of them are refused: in a path
   * they would lead to another resource.
   */
  static String encoded(String text) {
    if (text.equals(".") || text.equals(".."))
      throw new OutboundRefusedException("\"%s\" cannot be a part of a URL.".formatted(text));
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static String fill(String template, String place, String key) {
    if (!template.contains(place)) return template;
    if (key.isEmpty())
      throw new OutboundRefusedException(
          "The URL of the verifier needs %s, and the call has none.".formatted(place));
    return template.replace(place, encoded(key));
  }
}
