package dev.tenure.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.http.access.Scope;
import dev.tenure.http.access.Throttle;
import dev.tenure.http.fault.ErrorCode;
import dev.tenure.http.gateway.RequestLimits;
import dev.tenure.http.json.JsonReader;
import dev.tenure.http.rpc.RpcDoor;
import dev.tenure.http.workflow.AnswerLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the reference says is what the running server says. */
class ReferenceTest {
  private static final String PAGE = page();

  private static String page() {
    try {
      Path build = Path.of(System.getProperty("tenure.build"));
      return Files.readString(build.resolve("../../docs/reference/http.md").normalize());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void everyOperationOfTheServerHasItsRowAndNoOtherHas() {
    Map<String, String> served = new TreeMap<>();
    try (Served server = Served.start()) {
      JsonNode api = server.http().get("/api/openapi.json").body();
      api.get("paths")
          .properties()
          .forEach(
              path ->
                  path.getValue()
                      .properties()
                      .forEach(
                          verb ->
                              served.put(
                                  verb.getKey().toUpperCase(java.util.Locale.ROOT)
                                      + " "
                                      + path.getKey(),
                                  verb.getValue()
                                      .get("description")
                                      .asText()
                                      .replace("Scopes: ", ""))));
      Set<String> methods = new TreeSet<>();
      server
          .http()
          .post("/api/jsonrpc", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"rpc.discover\"}")
          .body()
          .at("/result/methods")
          .forEach(method -> methods.add(method.get("name").asText()));
      methods.add("tenure.workflows.events");
      assertThat(rows("^\\| `([a-zA-Z]+\\.[a-zA-Z]+)` \\| `[A-Z]+ [^`]+`").keySet())
          .isEqualTo(
              methods.stream()
                  .map(name -> name.substring("tenure.".length()))
                  .collect(Collectors.toSet()));
    }
    Map<String, String> documented = new TreeMap<>();
    Matcher row =
        Pattern.compile("(?m)^\\| `[a-zA-Z.]+` \\| `([A-Z]+ /[^`]+)` \\| ([a-z, ]+) \\|$")
            .matcher(PAGE);
    while (row.find()) documented.put(row.group(1), row.group(2));
    assertThat(documented).isEqualTo(served);
  }

  private static Map<String, String> rows(String pattern) {
    Map<String, String> found = new TreeMap<>();
    Matcher row = Pattern.compile("(?m)" + pattern).matcher(PAGE);
    while (row.find()) found.put(row.group(1), row.group());
    return found;
  }

  @Test
  void everyErrorHasItsRow() {
    Set<String> wanted =
        Arrays.stream(ErrorCode.values())
            .map(code -> "| `%s` | %d | %d |".formatted(code.code(), code.status(), code.rpcCode()))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> found = new TreeSet<>();
    Matcher row = Pattern.compile("(?m)^\\| `[A-Za-z]+` \\| \\d+ \\| -\\d+ \\|$").matcher(PAGE);
    while (row.find()) found.add(row.group());
    assertThat(found).isEqualTo(wanted);
  }

  @Test
  void theLimitsAreThoseOfTheCode() {
    assertThat(RequestLimits.DEFAULT)
        .isEqualTo(
            new RequestLimits(
                (2 * 1024 + 256) * 1024L,
                Duration.ofSeconds(10),
                64,
                8 * 1024,
                8 * 1024,
                64,
                4_096,
                new AnswerLimits(1_000, Duration.ofSeconds(60))));
    assertThat(RpcDoor.BATCH_MAX).isEqualTo(100);
    assertThat(JsonReader.DEPTH_MAX).isEqualTo(64);
    assertThat(Throttle.Limits.DEFAULT)
        .isEqualTo(new Throttle.Limits(10_000, 20_000, 2_000, 4_000));
    for (Scope scope : Scope.values()) assertThat(PAGE).contains("`" + scope.word() + "`");
  }
}
