package dev.tenure.activities.http;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.activities.http.OutboundHttp.Outgoing;
import dev.tenure.activities.json.Json;
import dev.tenure.activities.outbound.Target;
import dev.tenure.workflow.ActivityContext;
import dev.tenure.workflow.ResourceVerifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Gets a URL made of the recorded result, and compares what it answers with what the history says:
 * the status, which is 200 unless another one is named, the ETag, and chosen fields of the JSON.
 * When there is no answer, it throws, which counts as a difference.
 */
public final class HttpResourceVerifier<I, O> implements ResourceVerifier<I, O> {
  private static final int OK = 200;
  private static final int SHOWN_CHARS_MAX = 200;

  /** Says what differs, if anything does. */
  private interface Comparison<O> {
    Optional<String> difference(Reply reply, HttpAnswer answer, O recorded);
  }

  private final OutboundHttp http;
  private final BiFunction<? super I, ? super O, String> url;
  private final int status;
  private final List<Comparison<O>> comparisons;

  private HttpResourceVerifier(
      OutboundHttp http,
      BiFunction<? super I, ? super O, String> url,
      int status,
      List<Comparison<O>> comparisons) {
    this.http = http;
    this.url = url;
    this.status = status;
    this.comparisons = List.copyOf(comparisons);
  }

  /**
   * @param url of the resource, made of the input and the recorded result; see {@link
   *     KeyedUrl#encoded} for their parts
   */
  public static <I, O> HttpResourceVerifier<I, O> of(
      OutboundHttp http, BiFunction<? super I, ? super O, String> url) {
    return new HttpResourceVerifier<>(http, url, OK, List.of());
  }

  /** The status that says that the resource is as it was; 404 for one that was deleted. */
  public HttpResourceVerifier<I, O> expectingStatus(int other) {
    return new HttpResourceVerifier<>(http, url, other, comparisons);
  }

  /** The ETag has to be this one. */
  public HttpResourceVerifier<I, O> comparingETag(Function<? super O, String> recordedTag) {
    return comparing(
        (reply, answer, recorded) ->
            different(
                "ETag",
                reply.headers().firstValue("ETag").orElse("none"),
                recordedTag.apply(recorded)));
  }

  /**
   * A field of the JSON has to be equal to what the history has.
   *
   * @param pointer a JSON pointer, such as {@code /status}
   */
  public HttpResourceVerifier<I, O> comparing(
      String pointer, Function<? super O, ?> recordedValue) {
    JsonPointer at = JsonPointer.compile(pointer);
    return comparing(
        (reply, answer, recorded) -> {
          JsonNode found = answer.json().at(at);
          JsonNode expected = Json.MAPPER.valueToTree(recordedValue.apply(recorded));
          return isSame(found, expected)
              ? Optional.empty()
              : different(pointer, shown(found), shown(expected));
        });
  }

  private HttpResourceVerifier<I, O> comparing(Comparison<O> one) {
    List<Comparison<O>> all = new ArrayList<>(comparisons);
    all.add(one);
    return new HttpResourceVerifier<>(http, url, status, all);
  }

  @Override
  public Optional<String> difference(ActivityContext context, I input, O recorded)
      throws Exception {
    Target target = Target.of(url.apply(input, recorded));
    Map<String, String> headers = Map.of("Accept", "application/json");
    Reply reply =
        http.send(
            new Outgoing("GET", target, headers, Optional.empty()),
            http.timeLeft(context.deadline()));
    if (reply.status() != status)
      return Optional.of("%s, and %d was expected".formatted(reply, status));
    if (comparisons.isEmpty()) return Optional.empty();
    HttpAnswer answer = reply.answer(http.settings().kept());
    List<String> differences =
        comparisons.stream()
            .flatMap(each -> each.difference(reply, answer, recorded).stream())
            .toList();
    return differences.isEmpty()
        ? Optional.empty()
        : Optional.of("%s: %s".formatted(target, String.join("; ", differences)));
  }

  private static Optional<String> different(String what, String found, String expected) {
    return found.equals(expected)
        ? Optional.empty()
        : Optional.of("%s is %s, and the history has %s".formatted(what, found, expected));
  }

  /** Numbers are compared by their value: 1 and 1.0 differ in how they are written only. */
  private static boolean isSame(JsonNode found, JsonNode expected) {
    return found.isNumber() && expected.isNumber()
        ? found.decimalValue().compareTo(expected.decimalValue()) == 0
        : found.equals(expected);
  }

  private static String shown(JsonNode value) {
    String text = value.isMissingNode() ? "missing" : value.toString();
    return text.length() <= SHOWN_CHARS_MAX ? text : text.substring(0, SHOWN_CHARS_MAX) + "…";
  }
}
