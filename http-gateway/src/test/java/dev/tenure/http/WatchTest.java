package dev.tenure.http;

import static dev.tenure.http.Http.workflow;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.format.EngineBuild;
import dev.tenure.persistence.format.FormatLevel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Histories as they grow, bulk orders, and the overview of the cluster. */
class WatchTest {
  private static Served served;
  private static Http http;

  @BeforeAll
  static void start() {
    served = Served.start();
    http = served.http();
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  /** One event, as it came. */
  private record Event(String id, String type, String data) {}

  private static List<Event> read(Stream<String> lines, int max) {
    List<Event> events = new ArrayList<>();
    String[] fields = {"", "", ""};
    var each = lines.iterator();
    while (events.size() < max && each.hasNext()) {
      String line = each.next();
      if (line.startsWith("id: ")) fields[0] = line.substring(4);
      else if (line.startsWith("event: ")) fields[1] = line.substring(7);
      else if (line.startsWith("data: ")) fields[2] = line.substring(6);
      else if (line.isEmpty() && !fields[0].isEmpty()) {
        events.add(new Event(fields[0], fields[1], fields[2]));
        fields = new String[] {"", "", ""};
      }
    }
    return events;
  }

  private static List<Event> watch(String id, String after, int max)
      throws IOException, InterruptedException {
    return watch(served, id, after, max);
  }

  private static List<Event> watch(Served server, String id, String after, int max)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.uri.resolve(workflow(id, "events")))
            .timeout(Duration.ofSeconds(60));
    if (!after.isEmpty()) request.header("Last-Event-ID", after);
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<Stream<String>> response =
          client.send(request.build(), HttpResponse.BodyHandlers.ofLines());
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.headers().firstValue("Content-Type").orElse(""))
          .startsWith("text/event-stream");
      try (Stream<String> lines = response.body()) {
        List<Event> events = read(lines, max);
        client.shutdownNow();
        return events;
      }
    }
  }

  @Test
  void aHistoryIsStreamedToItsEndAndTakenUpAgainInTheMiddle() throws Exception {
    http.post("/api/v1/workflows", "{\"type\":\"basket\",\"id\":\"seen\"}");
    List<Event> first = watch("seen", "", 2);
    assertThat(first.getFirst().type()).isEqualTo("started");
    http.post(workflow("seen", "signal", "item"), "{\"payload\":{\"a\":\"\\n\"}}");
    http.post(workflow("seen", "signal", "item"), "{\"payload\":\"done\"}");
    List<Event> all = watch("seen", "", Integer.MAX_VALUE);
    assertThat(all.getLast().type()).isEqualTo("closed");
    assertThat(all.stream().map(Event::id)).doesNotHaveDuplicates();
    assertThat(all.stream().map(Event::type)).contains("signal-consumed", "ended");
    for (Event event : all) {
      assertThat(Http.JSON.readTree(event.data()).get("type").asText()).isEqualTo(event.type());
    }
    for (int i : List.of(0, 2, all.size() - 2)) {
      assertThat(watch("seen", all.get(i).id(), Integer.MAX_VALUE))
          .isEqualTo(all.subList(i + 1, all.size()));
    }
    assertThat(watch("seen", all.getLast().id(), Integer.MAX_VALUE)).isEmpty();
    assertThat(http.get(workflow("nobody", "events")).code()).isEqualTo("WorkflowNotFound");
  }

  @Test
  void aReaderThatGoesAwayCostsNothing() throws IOException {
    // A node of its own: until the last of them is noticed to be gone, it has no stream to give.
    try (Served crowded = Served.start()) {
      crowded.http().post("/api/v1/workflows", "{\"type\":\"basket\",\"id\":\"left\"}");
      for (int i = 0; i < 230; i++) openAndLeave(crowded);
      Await.until(() -> isWatchable(crowded));
    }
  }

  private static void openAndLeave(Served server) throws IOException {
    try (Socket socket = new Socket(server.uri.getHost(), server.uri.getPort())) {
      String request = "GET %s HTTP/1.1\r\nHost: x\r\n\r\n".formatted(workflow("left", "events"));
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      // Refused while those before it are not yet noticed to be gone.
      assertThat(in.readLine()).matches("HTTP/1.1 (200|503).*");
    }
  }

  private static boolean isWatchable(Served server) {
    try {
      return !watch(server, "left", "", 1).isEmpty();
    } catch (IOException | AssertionError e) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aBulkOrderIsCountedConfirmedAndWatched() {
    for (int i = 0; i < 120; i++) {
      http.post(
          "/api/v1/workflows",
          "{\"type\":\"basket\",\"id\":\"many-%d\",\"attributes\":{\"tenant\":\"t\"}}"
              .formatted(i));
    }
    String filter = "{\"attributes\":{\"tenant\":\"t\"}}";
    Http.Reply proposal =
        http.post(
            "/api/v1/bulk",
            "{\"order\":\"terminate\",\"filter\":%s,\"reason\":\"moved\"}".formatted(filter));
    assertThat(proposal.status()).as(proposal.body().toString()).isEqualTo(200);
    assertThat(proposal.body().get("count").asLong()).isEqualTo(120);
    assertThat(http.get(workflow("many-7")).text("status")).isNotEqualTo("terminated");
    // Not in the count, so not reached.
    http.post(
        "/api/v1/workflows",
        "{\"type\":\"basket\",\"id\":\"late\",\"attributes\":{\"tenant\":\"t\"}}");

    assertThat(http.post("/api/v1/bulk/confirm", "{\"confirmation\":\"guess\"}").code())
        .isEqualTo("ConfirmationStale");
    String confirm = "{\"confirmation\":\"%s\"}".formatted(proposal.text("confirmation"));
    Http.Reply confirmed = http.post("/api/v1/bulk/confirm", confirm);
    assertThat(confirmed.status()).as(confirmed.body().toString()).isEqualTo(202);
    String progress = confirmed.header("Location");
    Await.until(() -> http.get(progress).text("state").equals("finished"));
    Http.Reply done = http.get(progress);
    assertThat(done.body().get("applied").asLong()).isEqualTo(120);
    assertThat(done.body().get("failed").asLong()).isZero();
    assertThat(http.get(workflow("many-119")).text("status")).isEqualTo("terminated");
    assertThat(http.get(workflow("many-0", "result")).text("reason")).isEqualTo("moved");
    assertThat(http.get(workflow("late")).text("status")).isEqualTo("waiting");
    // Sent again, it is found and not done again.
    assertThat(http.post("/api/v1/bulk/confirm", confirm).text("state")).isEqualTo("finished");
    assertThat(http.get("/api/v1/bulk/none").code()).isEqualTo("BulkNotFound");
    assertThat(http.post("/api/v1/bulk", "{\"order\":\"delete\",\"filter\":{}}").code())
        .isEqualTo("InvalidRequest");
  }

  @Test
  void aBulkOrderWhoseNodeWentAwayIsCarriedOutByAnother() {
    http.post(
        "/api/v1/workflows",
        "{\"type\":\"basket\",\"id\":\"orphan\",\"attributes\":{\"of\":\"gone\"}}");
    Http.Reply proposal =
        http.post(
            "/api/v1/bulk", "{\"order\":\"cancel\",\"filter\":{\"attributes\":{\"of\":\"gone\"}}}");
    // As a node leaves it that was killed a while after it had taken it.
    served.change(
        "UPDATE bulk_operation SET state = 'running', turn = 1,"
            + " beat_at = now() - interval '2 minutes' WHERE id = '"
            + proposal.text("bulkId")
            + "'");
    Await.until(
        () -> http.get("/api/v1/bulk/" + proposal.text("bulkId")).text("state").equals("finished"));
    assertThat(http.get("/api/v1/bulk/" + proposal.text("bulkId")).body().get("applied").asLong())
        .isEqualTo(1);
  }

  @Test
  void nodesAndShardsAreShown() {
    http.post("/api/v1/workflows", "{\"type\":\"echo\",\"id\":\"somewhere\"}");
    Http.Reply nodes = http.get("/api/v1/nodes");
    assertThat(nodes.body().get("nodes").size()).isEqualTo(1);
    assertThat(nodes.body().at("/nodes/0/status").asText()).isEqualTo("up");
    assertThat(nodes.body().at("/nodes/0/self").asBoolean()).isTrue();
    assertThat(nodes.body().at("/nodes/0/shards").asLong()).isPositive();
    assertThat(nodes.body().at("/nodes/0/engine").asText())
        .isEqualTo(EngineBuild.CURRENT.version())
        .matches("[0-9]+\\.[0-9]+\\.[0-9]+(-SNAPSHOT)?");
    assertThat(nodes.body().at("/nodes/0/reads").asInt()).isEqualTo(FormatLevel.READ);
    assertThat(nodes.body().get("formatFloor").asInt()).isEqualTo(FormatLevel.WRITTEN);
    Await.until(() -> http.get("/api/v1/nodes").body().at("/nodes/0/clockAheadMs").isNumber());
    Http.Reply shards = http.get("/api/v1/shards");
    assertThat(shards.body().get("shards").findValuesAsText("node"))
        .contains(nodes.body().at("/nodes/0/node").asText());
  }
}
