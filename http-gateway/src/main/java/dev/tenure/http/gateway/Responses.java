package dev.tenure.http.gateway;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tenure.http.api.Answer;
import dev.tenure.http.fault.ApiFault;
import dev.tenure.http.fault.ErrorCode;
import dev.tenure.http.fault.FaultJson;
import org.apache.pekko.http.javadsl.model.ContentType;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.MediaTypes;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;

/** Answers as HTTP. */
final class Responses {
  static final ObjectMapper JSON = new ObjectMapper();

  private static final ContentType PROBLEM =
      MediaTypes.applicationWithFixedCharset(
              "problem+json", org.apache.pekko.http.javadsl.model.HttpCharsets.UTF_8)
          .toContentType();

  /** The headers of all answers. */
  private static final HttpResponse COMMON =
      HttpResponse.create()
          .addHeader(RawHeader.create("Cache-Control", "no-store"))
          .addHeader(RawHeader.create("X-Content-Type-Options", "nosniff"));

  private Responses() {}

  static HttpResponse of(Answer answer) {
    return switch (answer) {
      case Answer.Said said -> {
        HttpResponse response = json(said.status(), said.body());
        for (var header : said.headers().entrySet()) {
          response = response.addHeader(RawHeader.create(header.getKey(), header.getValue()));
        }
        yield response;
      }
      case Answer.Events events ->
          COMMON.withEntity(
              HttpEntities.create(MediaTypes.TEXT_EVENT_STREAM.toContentType(), events.source()));
    };
  }

  static HttpResponse json(int status, JsonNode body) {
    return COMMON.withStatus(status).withEntity(ContentTypes.APPLICATION_JSON, bytes(body));
  }

  static HttpResponse text(ContentType type, byte[] body) {
    return COMMON.withEntity(type, body);
  }

  /**
   * @param policy what a browser may do with it
   */
  static HttpResponse page(byte[] html, String policy) {
    return text(ContentTypes.TEXT_HTML_UTF8, html)
        .addHeader(RawHeader.create("Content-Security-Policy", policy))
        .addHeader(RawHeader.create("Referrer-Policy", "no-referrer"));
  }

  static HttpResponse problem(ApiFault fault) {
    return headers(COMMON.withStatus(fault.code().status()), fault)
        .withEntity(PROBLEM, bytes(FaultJson.problem(fault)));
  }

  /** Adds the headers that HTTP has for a fault. */
  static HttpResponse headers(HttpResponse response, ApiFault fault) {
    HttpResponse with = response;
    if (fault.retryAfter().isPresent()) {
      long seconds = Math.max(1, fault.retryAfter().get().toSeconds());
      with = with.addHeader(RawHeader.create("Retry-After", Long.toString(seconds)));
    }
    if (fault.code() == ErrorCode.UNAUTHORIZED) {
      with = with.addHeader(RawHeader.create("WWW-Authenticate", "Bearer"));
    }
    Object allow = fault.extras().get("allow");
    return allow == null ? with : with.addHeader(RawHeader.create("Allow", allow.toString()));
  }

  static byte[] bytes(JsonNode node) {
    try {
      return JSON.writeValueAsBytes(node);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree is always JSON", e);
    }
  }
}
