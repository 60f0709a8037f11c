package dev.tenure.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;

/** Sends a signal over one transport, and takes the canonical result out of that one's envelope. */
enum Sender {
  REST {
    @Override
    SignalReceipt send(RealNode node, String id, String name, String signalId, Object payload) {
      ObjectNode body = JSON.createObjectNode().put("signalId", signalId);
      body.set("payload", JSON.valueToTree(payload));
      String path = "/api/v1/workflows/%s/signal/%s".formatted(escaped(id), escaped(name));
      return receipt(post(node.uri().resolve(path), body));
    }
  },
  JSON_RPC {
    @Override
    SignalReceipt send(RealNode node, String id, String name, String signalId, Object payload) {
      String callId = UUID.randomUUID().toString();
      ObjectNode call = JSON.createObjectNode().put("jsonrpc", "2.0").put("id", callId);
      ObjectNode params = call.put("method", "tenure.workflows.signal").putObject("params");
      params.put("workflowId", id).put("signalName", name).put("signalId", signalId);
      params.set("payload", JSON.valueToTree(payload));
      JsonNode answer = post(node.uri().resolve("/api/jsonrpc"), call);
      // A duplicate is answered under its own id, never under that of the first.
      assertThat(answer.path("id").asText()).as(answer.toString()).isEqualTo(callId);
      return receipt(answer.path("result"));
    }
  },
  CLIENT {
    @Override
    SignalReceipt send(RealNode node, String id, String name, String signalId, Object payload) {
      try (TenureClient tenure = TenureClient.to(node.uri()).build()) {
        return tenure.workflow(id).signal(name, payload, signalId);
      }
    }
  };

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  abstract SignalReceipt send(
      RealNode node, String id, String name, String signalId, Object payload);

  private static SignalReceipt receipt(JsonNode canonical) {
    assertThat(canonical.path("accepted").asBoolean()).as(canonical.toString()).isTrue();
    assertThat(canonical.size()).as(canonical.toString()).isEqualTo(6);
    return new SignalReceipt(
        canonical.path("workflowId").asText(),
        canonical.path("signalName").asText(),
        canonical.path("signalId").asText(),
        Instant.parse(canonical.path("acceptedAt").asText()),
        canonical.path("signalStorageKey").asText());
  }

  /** One step of a path; a dot alone would be taken for a step up or to the side. */
  private static String escaped(String text) {
    String step = URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    return step.matches("\\.\\.?") ? step.replace(".", "%2E") : step;
  }

  private static JsonNode post(URI uri, JsonNode body) {
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/json")
            .timeout(RealNode.SOON)
            .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
            .build();
    try {
      HttpResponse<byte[]> answer = HTTP.send(request, HttpResponse.BodyHandlers.ofByteArray());
      JsonNode json = JSON.readTree(answer.body());
      assertThat(answer.statusCode()).as(json.toString()).isEqualTo(200);
      return json;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
