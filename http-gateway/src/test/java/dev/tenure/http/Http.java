package dev.tenure.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tenure.http.api.PathText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** A client as anybody has one: no more than the JDK's. */
final class Http {
  static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(20))
          .build();

  /** What came back; every problem is checked to be one. */
  record Reply(int status, JsonNode body, HttpResponse<byte[]> raw) {
    String code() {
      return body.path("code").asText();
    }

    String text(String field) {
      return body.path(field).asText();
    }

    String header(String name) {
      return raw.headers().firstValue(name).orElse("");
    }
  }

  private final URI server;
  private final Map<String, String> headers = new TreeMap<>();

  Http(URI server) {
    this.server = server;
  }

  Http with(String header, String value) {
    Http other = new Http(server);
    other.headers.putAll(headers);
    other.headers.put(header, value);
    return other;
  }

  Reply get(String path) {
    return send(request(path).GET());
  }

  Reply post(String path, String json) {
    return post(path, json.getBytes(StandardCharsets.UTF_8));
  }

  Reply post(String path, byte[] body) {
    HttpRequest.Builder request = request(path);
    if (!headers.containsKey("Content-Type")) request.header("Content-Type", "application/json");
    return send(request.POST(BodyPublishers.ofByteArray(body)));
  }

  /** Without a body. */
  Reply post(String path) {
    return send(request(path).POST(BodyPublishers.noBody()));
  }

  Reply rpc(String method, String params) {
    return rpc("1", method, params);
  }

  Reply rpc(String id, String method, String params) {
    return post(
        "/api/jsonrpc",
        "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"tenure.%s\",\"params\":%s}"
            .formatted(id, method, params));
  }

  /** The path of a workflow, or of something about it. */
  static String workflow(String id, String... more) {
    StringBuilder path = new StringBuilder("/api/v1/workflows/").append(PathText.encoded(id));
    for (String part : more) path.append('/').append(PathText.encoded(part));
    return path.toString();
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.resolve(path)).timeout(Duration.ofSeconds(90));
    headers.forEach(request::header);
    return request;
  }

  private static Reply send(HttpRequest.Builder request) {
    try {
      HttpResponse<byte[]> raw = CLIENT.send(request.build(), BodyHandlers.ofByteArray());
      JsonNode body = raw.body().length == 0 ? JSON.missingNode() : JSON.readTree(raw.body());
      Described.check(raw.request().method(), raw.uri(), raw.statusCode(), raw.body());
      return new Reply(raw.statusCode(), body, raw);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
