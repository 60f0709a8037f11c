package dev.tenure.node.command.remote;

import static dev.tenure.sharding.workflow.Workflows.HISTORY_PAGE_MAX;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.node.AnyNode;
import dev.tenure.node.Main;
import dev.tenure.node.TenureNode;
import dev.tenure.node.http.Operator;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.history.History;
import dev.tenure.sharding.history.HistoryFile;
import dev.tenure.sharding.history.Replayer;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.workflow.WorkflowRegistration;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Each command against a guarded node on a real database: what it prints, and how it ends. */
class CommandsTest {

  @TempDir static Path folder;
  private static TestDatabase database;
  private static TenureNode node;
  private static Path key;

  /** What a command printed, and how it ended. */
  private record Ran(int exit, String out, String err) {
    Ran ends(Exit wanted) {
      assertThat(exit).as(out + err).isEqualTo(wanted.code());
      assertThat(out + err).doesNotContain("\tat ").doesNotContain(Operator.KEY);
      return this;
    }
  }

  @BeforeAll
  static void start() throws IOException {
    key = Files.writeString(folder.resolve("key"), Operator.KEY + "\n");
    Path keys = Operator.keys(folder);
    database = TestDatabase.empty();
    node =
        AnyNode.on(database)
            .setting("tenure.http.api-keys-file", keys.toString())
            .workflow(Chest.class)
            .start();
    node.up().toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
  }

  @AfterAll
  static void stop() {
    node.close();
    database.close();
  }

  private static Ran bare(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return new Ran(line.execute(arguments), out.toString(), err.toString());
  }

  /** With address and credential. */
  private static Ran workflow(String command, String... arguments) {
    List<String> all = new ArrayList<>(List.of("workflow", command));
    all.addAll(List.of("--url", node.http().toString(), "--credential-file", key.toString()));
    all.addAll(List.of(arguments));
    return bare(all.toArray(String[]::new));
  }

  private static Ran reading(String input, String command, String... arguments) {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
    try {
      return workflow(command, arguments);
    } finally {
      System.setIn(before);
    }
  }

  private static String get(String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(node.http().resolve(path))
            .header("Authorization", "Bearer " + Operator.KEY)
            .build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
  }

  private static void begin(String id) {
    workflow("start", "chest", "--id", id, "--input", "\"ada\"", "--attribute", "of=" + id)
        .ends(Exit.DONE);
  }

  @Test
  void aWorkflowLivesItsLife() {
    begin("life");
    assertThat(workflow("query", "life", "owner").ends(Exit.DONE).out()).isEqualTo("\"ada\"\n");
    String[] put = {"life", "put", "--payload", "7", "--update-id", "u"};
    assertThat(workflow("update", put).ends(Exit.DONE).out()).isEqualTo("1\n");
    assertThat(workflow("update", put).ends(Exit.DONE).out()).isEqualTo("1\n");
    workflow("update", "life", "put", "--payload", "-7").ends(Exit.NO_SUCCESS);
    assertThat(workflow("describe", "life").ends(Exit.DONE).out())
        .contains("chest v1", "signal-wait");
    workflow("result", "life", "--wait", "0s").ends(Exit.NOT_YET);
    Ran signalled =
        workflow(
                "signal",
                "life",
                "shut",
                "--payload",
                "{\"a\":1.50}",
                "--signal-id",
                "s",
                "-o",
                "json")
            .ends(Exit.DONE);
    assertThat(signalled.out()).contains("\"signalId\":\"s\"");
    assertThat(workflow("result", "life").ends(Exit.DONE).out()).isEqualTo("[7,{\"a\":1.5}]\n");
    assertThat(workflow("result", "life", "-o", "json").ends(Exit.DONE).out())
        .contains("\"status\":\"completed\"");
    assertThat(workflow("history", "life").ends(Exit.DONE).out())
        .contains("VERSION", "started", "signal-consumed", "ended");
    assertThat(
            workflow("history", "life", "--limit", "1", "-o", "json").ends(Exit.DONE).out().lines())
        .hasSize(1);
    workflow("signal", "life", "shut").ends(Exit.CONFLICT);
  }

  @Test
  void anExportedHistoryHoldsTheJournalsBytesOfAllPages() throws Exception {
    String owner = "\"" + "x".repeat(1_700_000) + "\"";
    Path large = Files.writeString(folder.resolve("large"), owner);
    workflow("start", "chest", "--id", "exported", "--input", "@" + large).ends(Exit.DONE);
    workflow("update", "exported", "put", "--payload", "7").ends(Exit.DONE);
    workflow("signal", "exported", "shut").ends(Exit.DONE);
    workflow("result", "exported").ends(Exit.DONE);
    // What is so large has a page of its own.
    assertThat(get("/api/v1/workflows/exported/history?stored=true")).endsWith(",\"next\":1}");

    Path file = folder.resolve("exported.history");
    assertThat(workflow("history", "exported", "--export", file.toString()).ends(Exit.DONE).out())
        .contains("commits of exported in " + file);
    History history = HistoryFile.read(file);
    assertThat(history.entries())
        .hasSizeGreaterThan(1)
        .isEqualTo(node.workflows().handle("exported", Object.class).history(1, HISTORY_PAGE_MAX));
    assertThat(
            Replayer.replay(
                history, WorkflowRegistration.of(Chest.class, Chest::new), PayloadCodec.standard()))
        .isInstanceOf(Replayer.Verdict.Fits.class);

    workflow("history", "exported", "--export", file.toString(), "--limit", "1").ends(Exit.USAGE);
    workflow("history", "exported", "--export", folder.toString()).ends(Exit.FAILED);
    workflow("history", "nobody", "--export", file.toString()).ends(Exit.NOT_FOUND);
  }

  @Test
  void idsGoFromOneCommandToAnother() {
    for (int i = 0; i < 3; i++) {
      workflow("start", "chest", "--id", "many-" + i, "--attribute", "many=true").ends(Exit.DONE);
    }
    Ran ids = workflow("list", "--attribute", "many=true", "-q").ends(Exit.DONE);
    assertThat(ids.out().lines()).containsExactly("many-2", "many-1", "many-0");
    Ran cut = workflow("list", "--attribute", "many=true", "--limit", "2").ends(Exit.DONE);
    assertThat(cut.out().lines()).hasSize(3);
    assertThat(cut.err()).contains("--limit");
    assertThat(reading(ids.out(), "pause", "-", "--reason", "look").ends(Exit.DONE).out().lines())
        .hasSize(3);
    assertThat(workflow("list", "--attribute", "many=true", "--status", "paused").out().lines())
        .hasSize(4);
    reading(ids.out(), "resume", "-").ends(Exit.DONE);
    // One that is not there stops none of the others, and is not forgotten.
    Ran ended = reading("many-0\nnobody\nmany-1\n", "terminate", "-").ends(Exit.NOT_FOUND);
    assertThat(ended.out().lines()).hasSize(2);
    workflow("cancel", "many-2").ends(Exit.DONE);
  }

  @Test
  void whatGoesWrongHasItsCodeAndNoStack() throws IOException {
    begin("taken");
    workflow("start", "chest", "--id", "taken").ends(Exit.CONFLICT);
    begin("empty");
    workflow("signal", "empty", "shut").ends(Exit.DONE);
    assertThat(workflow("result", "empty").ends(Exit.NO_SUCCESS).err()).contains("nothing in it");
    workflow("describe", "nobody").ends(Exit.NOT_FOUND);
    workflow("describe", "x".repeat(3_000)).ends(Exit.USAGE);
    assertThat(workflow("start", "chest", "--input", "ada").ends(Exit.USAGE).err())
        .contains("--input", "quotes");
    workflow("list", "--status", "sleeping").ends(Exit.USAGE);
    bare("workflow", "list", "--url", node.http().toString()).ends(Exit.NOT_ALLOWED);
    Path wrong = Files.writeString(folder.resolve("wrong"), "x" + Operator.KEY);
    bare("workflow", "list", "--url", node.http().toString(), "--credential-file", wrong.toString())
        .ends(Exit.NOT_ALLOWED);
    bare("workflow", "list", "--url", "http://127.0.0.1:1", "--retry-for", "0s")
        .ends(Exit.UNAVAILABLE);
    bare("workflow", "list", "--url", "127.0.0.1").ends(Exit.USAGE);
    bare("workflow", "list", "--credential-file", "/none").ends(Exit.USAGE);
  }

  @Test
  void profilesNameServersAndKeepNoSecrets() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("config"),
            """
            default-profile = here
            profiles {
              here { url = "http://127.0.0.1:7300", credential-file = key }
              far.url = "https://tenure.example.com"
              odd { key = "secret" }
            }
            """);
    Profile here = Profile.read(file, java.util.Optional.empty());
    assertThat(here.url()).contains("http://127.0.0.1:7300");
    assertThat(here.credentialFile()).contains(key);
    assertThat(Profile.read(file, java.util.Optional.of("far")).url())
        .contains("https://tenure.example.com");
    org.assertj.core.api.Assertions.assertThatThrownBy(
            () -> Profile.read(file, java.util.Optional.of("odd")))
        .hasMessageContaining("credential-file")
        .hasMessageNotContaining("secret");
    org.assertj.core.api.Assertions.assertThatThrownBy(
            () -> Profile.read(file, java.util.Optional.of("none")))
        .hasMessageContaining("far");
  }

  @Test
  void operatorsHearWhatReadinessIsMadeOf() throws Exception {
    assertThat(get("/health/ready"))
        .matches(
            Pattern.quote(
                    "{\"status\":\"ready\",\"checks\":{\"leases\":\"ok\",\"member\":\"ok\",\"shutdown\":\"ok\",\"storage\":\"ok\"},\"clockAheadMs\":")
                + "-?[0-9]+}");
  }

  @Test
  void theShellIsToldWhatThereIs() {
    assertThat(bare("completion").ends(Exit.DONE).out()).contains("workflow", "terminate");
    assertThat(Output.harmless("a\u001b[31mb\u202e")).isEqualTo("a\\u{1b}[31mb\\u{202e}");
  }
}
