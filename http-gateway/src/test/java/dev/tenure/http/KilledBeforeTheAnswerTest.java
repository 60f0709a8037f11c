package dev.tenure.http;

import static dev.tenure.http.Http.workflow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.persistence.storage.TestDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** SIGKILL between the commit and the answer: whoever sends it again finds out what happened. */
class KilledBeforeTheAnswerTest {
  private static final int KILLED = 128 + 9;

  static Process start(TestDatabase database) throws IOException {
    Path log = Path.of(System.getProperty("tenure.build", "build"), "nodes", "killed.log");
    Files.createDirectories(log.getParent());
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx384m",
            "-XX:TieredStopAtLevel=1",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            KilledServer.class.getName(),
            database.url());
    return new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
  }

  static URI where(Process process) throws IOException {
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith("at ")) return URI.create(line.substring(3));
    }
    throw new IOException("the server ended before it listened");
  }

  @Test
  void theRetryOfASignalGetsTheOriginalResult() throws Exception {
    String signal = "{\"signalId\":\"kill-1\",\"payload\":1}";
    try (TestDatabase database = TestDatabase.migrated()) {
      Process process = start(database);
      try {
        Http doomed = new Http(where(process));
        doomed.post("/api/v1/workflows", "{\"type\":\"basket\",\"id\":\"w\"}");
        assertThatThrownBy(() -> doomed.post(workflow("w", "signal", "item"), signal))
            .isInstanceOf(UncheckedIOException.class);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(KILLED);
      } finally {
        process.destroyForcibly();
      }
      try (Served next = Served.start(database)) {
        long accepted =
            next.count("SELECT extract(epoch FROM accepted_at) * 1000000 FROM signal_response");
        JsonNode first = next.http().post(workflow("w", "signal", "item"), signal).body();
        assertThat(first.get("accepted").asBoolean()).isTrue();
        java.time.Instant at = java.time.Instant.parse(first.get("acceptedAt").asText());
        assertThat(at.getEpochSecond() * 1_000_000 + at.getNano() / 1_000).isEqualTo(accepted);
        String params =
            "{\"workflowId\":\"w\",\"signalName\":\"item\",\"signalId\":\"kill-1\",\"payload\":1}";
        assertThat(next.http().rpc("workflows.signal", params).body().get("result"))
            .isEqualTo(first);
        assertThat(next.count("SELECT signals FROM workflow_all WHERE id = 'w'")).isEqualTo(1);
        // And it is consumed once (I13).
        next.http().post(workflow("w", "signal", "item"), "{\"payload\":\"done\"}");
        JsonNode result = next.http().with("Prefer", "wait=60").get(workflow("w", "result")).body();
        assertThat(result.at("/result/items").toString()).isEqualTo("[1]");
      }
    }
  }

  @Test
  void theRetryOfAStartFindsTheWorkflowThatItStarted() throws Exception {
    String start = "{\"type\":\"basket\",\"id\":\"kill-start\"}";
    try (TestDatabase database = TestDatabase.migrated()) {
      Process process = start(database);
      try {
        Http doomed = new Http(where(process)).with("Idempotency-Key", "once");
        assertThatThrownBy(() -> doomed.post("/api/v1/workflows", start))
            .isInstanceOf(UncheckedIOException.class);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(KILLED);
      } finally {
        process.destroyForcibly();
      }
      try (Served next = Served.start(database)) {
        assertThat(next.count("SELECT count(*) FROM workflow_all")).isEqualTo(1);
        Http.Reply again =
            next.http().with("Idempotency-Key", "once").post("/api/v1/workflows", start);
        assertThat(again.status()).as(again.body().toString()).isEqualTo(201);
        assertThat(
                next.count(
                    "SELECT count(*) FROM workflow_all WHERE run_id = '"
                        + again.text("runId")
                        + "'"))
            .isEqualTo(1);
        assertThat(next.http().post("/api/v1/workflows", start).code())
            .isEqualTo("WorkflowAlreadyExists");
      }
    }
  }
}
