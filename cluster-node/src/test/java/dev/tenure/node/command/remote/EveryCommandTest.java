package dev.tenure.node.command.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.node.AnyNode;
import dev.tenure.node.Main;
import dev.tenure.node.NodeBuilder;
import dev.tenure.node.TenureNode;
import dev.tenure.node.http.Operator;
import dev.tenure.persistence.format.EngineBuild;
import dev.tenure.persistence.storage.TestDatabase;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Every command of the reference in both forms, and every exit code, on two nodes of a cluster. */
class EveryCommandTest {
  private static final Path REFERENCE =
      Path.of(System.getProperty("tenure.build"), "../../docs/reference/cli.md").normalize();

  /**
   * Some ask no server but a store or a file, and for repairs something has to be broken: they have
   * their tests.
   */
  private static final List<String> TRIED_ELSEWHERE =
      List.of(
          "tenure workflow replay",
          "tenure workflow archive",
          "tenure workflow show",
          "tenure verify",
          "tenure checkpoint create",
          "tenure proof",
          "tenure workflow activities",
          "tenure workflow conclude",
          "tenure workflow retry-step",
          "tenure workflow move",
          "tenure workflow fork",
          "tenure incident list",
          "tenure incident describe",
          "tenure incident resolve");

  @TempDir static Path folder;
  private static TestDatabase database;
  private static TenureNode one;
  private static TenureNode two;
  private static Path key;

  private record Ran(int exit, String out, String err) {}

  @BeforeAll
  static void start() throws IOException {
    key = Files.writeString(folder.resolve("key"), Operator.KEY + "\n");
    Path keys = Operator.keys(folder);
    database = TestDatabase.empty();
    one = node(keys).start();
    up(one);
    two = node(keys).start();
    up(two);
  }

  private static NodeBuilder node(Path keys) {
    return AnyNode.on(database)
        .setting("tenure.http.api-keys-file", keys.toString())
        .workflow(Chest.class);
  }

  private static void up(TenureNode node) {
    node.up().toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
  }

  @AfterAll
  static void stop() {
    two.close();
    one.close();
    database.close();
  }

  private static Ran bare(List<String> arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int exit = line.execute(arguments.toArray(String[]::new));
    assertThat(out + "" + err).doesNotContain("\tat ").doesNotContain(Operator.KEY);
    return new Ran(exit, out.toString(), err.toString());
  }

  private static Ran at(TenureNode node, List<String> words, String... more) {
    List<String> all = new ArrayList<>(words);
    all.addAll(List.of("--url", node.http().toString(), "--credential-file", key.toString()));
    all.addAll(List.of(more));
    return bare(all);
  }

  private static Ran workflow(String command, String... more) {
    return at(one, List.of("workflow", command), more);
  }

  private static void is(Exit wanted, Ran ran) {
    assertThat(ran.exit()).as(ran.out() + ran.err()).isEqualTo(wanted.code());
  }

  /** A life of a workflow in which every command has its place. */
  private static List<List<String>> life(String id) {
    return List.of(
        List.of("start", "chest", "--id", id, "--input", "\"ada\"", "--attribute", "n=1"),
        List.of("list", "--type", "chest", "--attribute", "n=1", "--status", "waiting,running"),
        List.of("describe", id),
        List.of("pause", id, "--reason", "look"),
        List.of("resume", id),
        List.of("query", id, "owner"),
        List.of("update", id, "put", "--payload", "7", "--update-id", "u"),
        List.of("cancel", id, "--reason", "enough"),
        List.of("history", id, "--after", "0", "--limit", "3"));
  }

  private static List<List<String>> end(String id) {
    return List.of(
        List.of("signal", id, "shut", "--payload", "[1]", "--signal-id", "s"),
        List.of("result", id, "--wait", "60s"),
        List.of("terminate", id));
  }

  private static Set<String> run(List<List<String>> commands, String form) {
    Set<String> names = new HashSet<>();
    for (List<String> command : commands) {
      List<String> words = new ArrayList<>(List.of("workflow"));
      words.addAll(command);
      Ran ran = at(two, words, "-o", form);
      // Its code does not look for a cancellation; that one may end it is not the question.
      assertThat(ran.exit()).as(command + ": " + ran.out() + ran.err()).isZero();
      check(form, ran.out());
      names.add("tenure workflow " + command.getFirst());
    }
    return names;
  }

  private static void check(String form, String out) {
    assertThat(out).isNotBlank();
    if (form.equals("json")) out.lines().forEach(EveryCommandTest::document);
  }

  private static JsonNode document(String line) {
    try {
      return Value.JSON.readTree(line);
    } catch (IOException e) {
      throw new AssertionError(line, e);
    }
  }

  @Test
  void everyCommandOfTheReferenceRunsInBothForms() throws IOException {
    Set<String> names = new HashSet<>();
    for (String form : List.of("table", "json")) {
      names.addAll(run(life("cancelled-" + form), form));
      workflow("start", "chest", "--id", "ended-" + form);
      workflow("update", "ended-" + form, "put", "--payload", "1");
      List<List<String>> end = end("ended-" + form);
      names.addAll(run(end.subList(0, 2), form));
      workflow("start", "chest", "--id", "terminated-" + form);
      names.addAll(run(List.of(List.of("terminate", "terminated-" + form)), form));
      for (TenureNode node : List.of(one, two)) {
        Ran ran = at(node, List.of("node", "list"), "-o", form);
        is(Exit.DONE, ran);
        check(form, ran.out());
      }
      names.add("tenure node list");
    }
    names.addAll(TRIED_ELSEWHERE);
    Set<String> documented =
        Files.readString(REFERENCE)
            .lines()
            .filter(line -> line.startsWith("### "))
            .map(line -> line.substring(4))
            .collect(Collectors.toSet());
    assertThat(names).isEqualTo(documented);
  }

  @Test
  void theNodesAreListedByWhicheverNodeIsAsked() {
    Set<String> answering = new HashSet<>();
    for (TenureNode node : List.of(one, two)) {
      List<JsonNode> nodes =
          at(node, List.of("node", "list"), "-o", "json")
              .out()
              .lines()
              .map(EveryCommandTest::document)
              .toList();
      assertThat(nodes).hasSize(2);
      assertThat(nodes).allMatch(each -> each.path("status").asText().equals("up"));
      assertThat(nodes).allMatch(each -> each.path("reachable").asBoolean());
      List<JsonNode> self = nodes.stream().filter(each -> each.path("self").asBoolean()).toList();
      assertThat(self).hasSize(1);
      answering.add(self.getFirst().path("node").asText());
      List<String> table = at(node, List.of("node", "list")).out().lines().toList();
      assertThat(table).hasSize(3);
      assertThat(table.getFirst())
          .contains("NODE", "STATUS", "REACHABLE", "SHARDS", "ENGINE", "READS", "CLOCK");
      assertThat(table.get(1)).contains(EngineBuild.CURRENT.version());
      assertThat(table).filteredOn(line -> line.contains("answers")).hasSize(1);
    }
    assertThat(answering).hasSize(2);
  }

  @Test
  void everyExitCodeIsReachedAsItIsDocumented() throws IOException {
    Set<Exit> seen = EnumSet.noneOf(Exit.class);
    workflow("start", "chest", "--id", "coded", "--input", "\"ada\"");
    ends(seen, Exit.DONE, workflow("list"));
    ends(seen, Exit.FAILED, workflow("history", "coded", "--export", folder.toString()));
    ends(seen, Exit.USAGE, workflow("list", "--limit", "-1"));
    ends(seen, Exit.USAGE, workflow("lost"));
    ends(seen, Exit.NOT_FOUND, workflow("query", "nobody", "owner"));
    ends(seen, Exit.NOT_FOUND, workflow("query", "coded", "nothing"));
    ends(seen, Exit.CONFLICT, workflow("start", "chest", "--id", "coded"));
    ends(seen, Exit.NO_SUCCESS, workflow("update", "coded", "put", "--payload", "-1"));
    ends(
        seen,
        Exit.NOT_ALLOWED,
        bare(List.of("workflow", "describe", "coded", "--url", one.http().toString())));
    ends(seen, Exit.NOT_YET, workflow("result", "coded", "--wait", "0s"));
    try (ServerSocket silent = new ServerSocket(0)) {
      String url = "http://127.0.0.1:" + silent.getLocalPort();
      List<String> start = List.of("workflow", "start", "chest", "--id", "lost", "--url", url);
      Thread.ofVirtual().start(() -> hangUp(silent));
      List<String> impatient = new ArrayList<>(start);
      impatient.addAll(List.of("--retry-for", "0s"));
      Ran lost = bare(impatient);
      ends(seen, Exit.UNKNOWN, lost);
      // The message says how to give it again so that it is done once; given again, it is.
      String made = lost.err().replaceAll("(?s).*--key (\\S+):.*", "$1");
      for (int i = 0; i < 2; i++) {
        is(Exit.DONE, workflow("start", "chest", "--id", "lost", "--key", made));
      }
    }
    ends(
        seen,
        Exit.UNAVAILABLE,
        bare(List.of("workflow", "list", "--url", "http://127.0.0.1:1", "--retry-for", "0s")));
    assertThat(seen).isEqualTo(EnumSet.allOf(Exit.class));
  }

  private static void ends(Set<Exit> seen, Exit wanted, Ran ran) {
    is(wanted, ran);
    if (wanted != Exit.DONE) assertThat(ran.err()).isNotBlank();
    seen.add(wanted);
  }

  /** Takes a request, and never says what became of it. */
  private static void hangUp(ServerSocket server) {
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        socket.getInputStream().readNBytes(20);
      } catch (IOException e) {
        // The test has ended.
        return;
      }
    }
  }

  @Test
  void anIdIsOneIdOnStandardInputWhateverIsInIt() {
    List<String> odd = List.of("two\nlines", "two", "\"quoted\"", " spaces ", "\u001b[31m", "-");
    for (String id : odd) {
      is(Exit.DONE, workflow("start", "chest", "--id=" + id, "--attribute", "odd=true"));
    }
    is(Exit.DONE, workflow("start", "chest", "--id", "lines"));
    Ran listed = workflow("list", "--attribute", "odd=true", "-q");
    assertThat(listed.out().lines()).hasSize(odd.size()).contains("\"two\\nlines\"", "two");
    assertThat(listed.out()).doesNotContain("\u001b");
    Ran table = workflow("list", "--attribute", "odd=true");
    assertThat(table.out().lines()).hasSize(1 + odd.size());
    assertThat(reading(listed.out(), "terminate", "-").exit()).isZero();
    assertThat(workflow("list", "--attribute", "odd=true", "--status", "terminated", "-q").out())
        .isEqualTo(listed.out());
    // What stood behind the end of the line was not taken for another workflow.
    is(Exit.NOT_YET, workflow("result", "lines", "--wait", "0s"));
    is(Exit.USAGE, reading("\"broken\n", "pause", "-"));
    Ran json = workflow("list", "--attribute", "odd=true", "-o", "json");
    assertThat(json.out()).doesNotContain("\u001b").containsIgnoringCase("\\u001b[31m");
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
}
