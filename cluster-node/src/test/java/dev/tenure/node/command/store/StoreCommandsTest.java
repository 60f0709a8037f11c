package dev.tenure.node.command.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tenure.node.AnyNode;
import dev.tenure.node.Main;
import dev.tenure.node.TenureNode;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.client.WorkflowClient;
import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowModule;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The commands that need no server, on what a node has stored. */
class StoreCommandsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Two runs; the input is so large that it stands apart. */
  @Workflow(name = "kettle")
  public static class Kettle {
    public String run(WorkflowContext ctx, String water) {
      ctx.step("boil", () -> 100);
      ctx.awaitSignal("pour", Object.class);
      return water.isEmpty() ? "tea" : ctx.continueAsNew("");
    }
  }

  public static class Kettles implements WorkflowModule {
    @Override
    public void register(Registry registry) {
      registry.workflow(Kettle.class);
    }
  }

  @TempDir static Path folder;
  private static TestDatabase database;
  private static Path config;

  private record Ran(int exit, String out, String err) {
    Ran ends(int wanted) {
      assertThat(exit).as(out + err).isEqualTo(wanted);
      assertThat(out + err).doesNotContain("\tat ");
      return this;
    }

    List<JsonNode> json() throws IOException {
      List<JsonNode> all = new ArrayList<>();
      for (String line : out.lines().toList()) all.add(JSON.readTree(line));
      return all;
    }
  }

  @BeforeAll
  static void live() throws IOException {
    database = TestDatabase.empty();
    config = folder.resolve("node.conf");
    Files.writeString(
        config, "tenure.storage { url = \"%s\", user = \"tenure_app\" }".formatted(database.url()));
    try (TenureNode node = AnyNode.on(database).workflow(Kettle.class).start()) {
      node.up().toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
      WorkflowClient workflows = node.workflows();
      for (String id : List.of("ended", "other")) {
        WorkflowHandle<String> kettle = workflows.start(Kettle::run, id, "x".repeat(100_000));
        kettle.signal("pour", 1);
        kettle.signal("pour", 2);
        assertThat(kettle.result()).isEqualTo("tea");
      }
      workflows.start(Kettle::run, "open", "");
    }
  }

  @AfterAll
  static void close() {
    database.close();
  }

  private static Ran bare(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return new Ran(line.execute(arguments), out.toString(), err.toString());
  }

  private static Ran run(String... arguments) {
    String[] all = Arrays.copyOf(arguments, arguments.length + 2);
    all[arguments.length] = "--config";
    all[arguments.length + 1] = config.toString();
    return bare(all);
  }

  @Test
  void aStoreIsVerified() throws IOException {
    assertThat(run("verify", "ended").ends(0).out()).contains("ended: ", "1 payloads fit");
    JsonNode one = run("verify", "ended", "--json").ends(0).json().getFirst();
    assertThat(one.path("fits").asBoolean()).isTrue();
    assertThat(one.path("link").asText()).hasSize(64);
    assertThat(run("verify", "--all").ends(0).out()).contains("3 workflows", "all fit");
    assertThat(run("verify", "nobody").ends(3).err()).contains("no workflow \"nobody\"");
    assertThat(run("verify").ends(2).err()).contains("what is to be verified");
    assertThat(run("verify", "ended", "--all").ends(2).err()).contains("what is to be verified");
    assertThat(bare("verify", "ended", "--data", folder.toString()).ends(2).err())
        .contains("is not the folder of a development node");
  }

  @Test
  void damageIsNamed() throws IOException {
    String where = " WHERE persistence_id = 'other' AND sequence_number = 2";
    database.execute("UPDATE event_journal SET epoch = epoch + 1" + where);
    try {
      assertThat(run("verify", "other").ends(1).out()).startsWith("other: version 2 ");
      assertThat(
              run("verify", "other", "-o", "json")
                  .ends(1)
                  .json()
                  .getFirst()
                  .path("version")
                  .asInt())
          .isEqualTo(2);
      List<JsonNode> all = run("verify", "--all", "--json").ends(1).json();
      assertThat(all).hasSize(2);
      assertThat(all.getFirst().path("workflow").asText()).isEqualTo("other");
      assertThat(all.getLast().path("damaged").asInt()).isEqualTo(1);
      Path file = folder.resolve("damaged.gz");
      assertThat(run("workflow", "archive", "other", "--out", file.toString()).ends(1).err())
          .contains("other: version 2 ");
      assertThat(file).doesNotExist();
    } finally {
      database.execute("UPDATE event_journal SET epoch = epoch - 1" + where);
    }
  }

  @Test
  void anArchiveIsShownReplayedAndVerifiedWithoutTheStore() throws IOException {
    Path file = folder.resolve("ended.gz");
    Ran archived = run("workflow", "archive", "ended", "--out", file.toString()).ends(0);
    assertThat(archived.out()).contains("1 payloads of ended in " + file);
    assertThat(run("workflow", "archive", "open", "--out", file + "2").ends(1).err())
        .contains("only what has ended");

    assertThat(bare("verify", "--archive", file.toString()).ends(0).out()).contains("fit");
    assertThat(bare("workflow", "show", "--archive", file.toString()).ends(0).out())
        .contains("kettle", "completed", "Started", "Scheduled boil#1", "ContinuedAsNew", "Ended");
    List<JsonNode> shown =
        bare("workflow", "show", "--archive", file.toString(), "-o", "json").ends(0).json();
    assertThat(shown.getFirst().path("workflow").asText()).isEqualTo("ended");
    assertThat(shown.getLast().path("link").asText())
        .isEqualTo(run("verify", "ended", "--json").json().getFirst().path("link").asText());
    assertThat(bare("workflow", "replay", "--jar", jar().toString(), file.toString()).ends(0).out())
        .contains("fits kettle v1");
    Path none = Files.writeString(folder.resolve("none"), "no archive");
    assertThat(bare("verify", "--archive", none.toString()).ends(1).err())
        .contains("is no archive");
  }

  /** A JAR that names the module; its classes are on the class path already. */
  private static Path jar() throws IOException {
    Path file = folder.resolve("kettles.jar");
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out)) {
      jar.putNextEntry(new JarEntry("META-INF/services/" + WorkflowModule.class.getName()));
      jar.write(Kettles.class.getName().getBytes(StandardCharsets.UTF_8));
    }
    return file;
  }

  @Test
  void aCheckpointAndAProofAreMadeAndVerified() throws Exception {
    var pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    Path key = pem("key", "PRIVATE KEY", pair.getPrivate().getEncoded());
    Path open = pem("open", "PUBLIC KEY", pair.getPublic().getEncoded());
    Path file = folder.resolve("checkpoint");
    String[] create = {"checkpoint", "create", "--key", key.toString(), "--out", file.toString()};
    assertThat(run(create).ends(0).out()).startsWith("3 heads with the root ");
    assertThat(
            run("verify", "--all", "--checkpoint", file.toString(), "--public-key", open.toString())
                .ends(0)
                .out())
        .contains("all fit");

    Ran proof = bare("proof", "ended", "--checkpoint", file.toString()).ends(0);
    Path saved = Files.writeString(folder.resolve("proof"), proof.out());
    assertThat(bare("verify", "--proof", saved.toString()).ends(0).out())
        .startsWith("ended: version");
    assertThat(run("verify", "ended", "--proof", saved.toString()).ends(0).out()).contains("fit");
    assertThat(run("verify", "other", "--proof", saved.toString()).ends(2).err())
        .contains("the proof is of workflow \"ended\"");
    assertThat(bare("proof", "nobody", "--checkpoint", file.toString()).ends(1).err())
        .contains("nobody");
    assertThat(
            run("checkpoint", "create", "--key", open.toString(), "--out", file.toString())
                .ends(1)
                .err())
        .contains("PRIVATE KEY");
  }

  private static Path pem(String name, String what, byte[] der) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return Files.writeString(
        folder.resolve(name),
        "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, text, what));
  }
}
