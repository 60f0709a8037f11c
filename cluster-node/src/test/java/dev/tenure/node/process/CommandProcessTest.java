package dev.tenure.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.client.TenureClient;
import dev.tenure.client.WorkflowType;
import dev.tenure.node.AnyNode;
import dev.tenure.node.Main;
import dev.tenure.node.TenureNode;
import dev.tenure.node.command.remote.Chest;
import dev.tenure.node.http.Certificates;
import dev.tenure.node.http.Operator;
import dev.tenure.persistence.storage.TestDatabase;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands as a shell starts them: profiles, variables, pipes, completion. */
class CommandProcessTest {
  private static final String WRONG = "another-key-of-more-than-thirty-two-characters-too";

  @TempDir static Path folder;
  private static TestDatabase database;
  private static TenureNode node;
  private static Path config;

  @BeforeAll
  static void start() throws Exception {
    Certificates certificates = Certificates.make(folder);
    Files.writeString(folder.resolve("good.key"), Operator.KEY + "\n");
    Files.writeString(folder.resolve("wrong.key"), WRONG + "\n");
    Path keys = Operator.keys(folder);
    database = TestDatabase.empty();
    node =
        AnyNode.on(database)
            .setting("tenure.http.api-keys-file", keys.toString())
            .setting("tenure.http.tls.keystore-file", certificates.keystore().toString())
            .setting("tenure.http.tls.keystore-password", Certificates.PASSWORD)
            .workflow(Chest.class)
            .start();
    node.up().toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    config =
        Files.writeString(
            folder.resolve("config"),
            """
            default-profile = good
            profiles {
              good { url = "%1$s", credential-file = good.key, ca-file = ca.pem }
              wrong { url = "%1$s", credential-file = wrong.key, ca-file = ca.pem }
            }
            """
                .formatted(node.http()));
  }

  @AfterAll
  static void stop() {
    node.close();
    database.close();
  }

  private static String run(int exit, Map<String, String> environment, String... arguments) {
    try (NodeProcess process = NodeProcess.start(folder, environment, arguments)) {
      assertThat(process.awaitExit()).as(process.output()).isEqualTo(exit);
      assertThat(process.output())
          .doesNotContain(Operator.KEY)
          .doesNotContain(WRONG)
          .doesNotContain("\tat ");
      return process.output();
    }
  }

  @Test
  void anOptionWinsOverAVariableAndThatOverAProfile() {
    String file = config.toString();
    assertThat(run(0, Map.of("TENURE_CONFIG", file), "node", "list")).contains("up");
    Map<String, String> wrong = Map.of("TENURE_CONFIG", file, "TENURE_PROFILE", "wrong");
    assertThat(run(6, wrong, "node", "list")).contains("Unauthorized");
    Map<String, String> mended =
        Map.of(
            "TENURE_CONFIG",
            file,
            "TENURE_PROFILE",
            "wrong",
            "TENURE_CREDENTIAL_FILE",
            folder.resolve("good.key").toString());
    assertThat(run(0, mended, "node", "list")).contains("up");
    assertThat(run(0, wrong, "node", "list", "--profile", "good")).contains("up");
    Map<String, String> bare =
        Map.of(
            "TENURE_URL",
            node.http().toString(),
            "TENURE_CREDENTIAL_FILE",
            folder.resolve("good.key").toString(),
            "TENURE_CA_FILE",
            folder.resolve("ca.pem").toString(),
            "TENURE_CONFIG",
            folder.resolve("none").toString());
    assertThat(run(0, bare, "node", "list")).contains("up");
  }

  @Test
  void idsGoThroughARealPipe() throws Exception {
    try (TenureClient tenure =
        TenureClient.to(node.http())
            .credential(Operator.KEY)
            .trusting(folder.resolve("ca.pem"))
            .build()) {
      WorkflowType<String, List<?>> chest =
          WorkflowType.of(
              "chest",
              String.class,
              new com.fasterxml.jackson.core.type.TypeReference<List<?>>() {});
      for (int i = 0; i < 3; i++) tenure.start(chest.request("ada").id("piped-" + i));
      List<Process> pipe =
          ProcessBuilder.startPipeline(
              List.of(
                  command("workflow", "list", "--type", "chest", "-q"),
                  command("workflow", "terminate", "-", "--reason", "done", "-o", "json")));
      String out = new String(pipe.getLast().getInputStream().readAllBytes());
      for (Process each : pipe) {
        assertThat(each.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(each.exitValue()).as(out).isZero();
      }
      assertThat(out.lines()).hasSize(3).allMatch(line -> line.contains("\"applied\":true"));
      assertThat(tenure.workflow("piped-1").describe().status().word()).isEqualTo("terminated");
    }
  }

  private static ProcessBuilder command(String... words) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    command.addAll(List.of(words));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().keySet().removeIf(name -> name.startsWith("TENURE_"));
    builder.environment().put("TENURE_CONFIG", config.toString());
    return builder;
  }

  @Test
  void bashCompletesCommandsAndOptions() throws Exception {
    StringWriter script = new StringWriter();
    assertThat(Main.commandLine().setOut(new PrintWriter(script)).execute("completion")).isZero();
    Path file = Files.writeString(folder.resolve("completion.sh"), script.toString());
    assertThat(completed(file, "tenure workflow te")).contains("terminate");
    assertThat(completed(file, "tenure node li")).contains("list");
    assertThat(completed(file, "tenure workflow start --attr")).contains("--attribute");
  }

  /** What bash would offer at the end of the line. */
  private static String completed(Path script, String line) throws Exception {
    List<String> words = List.of(line.split(" "));
    String program =
        "source '%s'; COMP_WORDS=(%s); COMP_CWORD=%d; _complete_tenure; echo \"${COMPREPLY[@]}\""
            .formatted(script, line, words.size() - 1);
    Process bash = new ProcessBuilder("bash", "-c", program).redirectErrorStream(true).start();
    String out = new String(bash.getInputStream().readAllBytes());
    assertThat(bash.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return out;
  }
}
