package dev.tenure.node.command.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.node.AnyNode;
import dev.tenure.node.Main;
import dev.tenure.node.TenureNode;
import dev.tenure.persistence.storage.TestDatabase;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What an operator types when workflows stand still. */
class RepairCommandsTest {
  private static TestDatabase database;
  private static TenureNode node;

  private record Ran(int exit, String out, String err) {
    Ran ends(Exit wanted) {
      assertThat(exit).as(out + err).isEqualTo(wanted.code());
      return this;
    }

    JsonNode json() {
      try {
        return Value.JSON.readTree(out);
      } catch (IOException e) {
        throw new AssertionError(out, e);
      }
    }
  }

  @BeforeAll
  static void start() {
    database = TestDatabase.empty();
    node =
        AnyNode.on(database).setting("tenure.http.access", "open").workflow(Fragile.class).start();
    node.up().toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
  }

  @AfterAll
  static void stop() {
    node.close();
    database.close();
  }

  private static Ran run(String group, String command, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    List<String> all = new ArrayList<>(List.of(group, command, "--url", node.http().toString()));
    all.addAll(List.of(arguments));
    return new Ran(line.execute(all.toArray(String[]::new)), out.toString(), err.toString());
  }

  private static void standStill(String... ids) {
    Fragile.DOWN.set(true);
    for (String id : ids) run("workflow", "start", "fragile", "--id", id).ends(Exit.DONE);
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    for (String id : ids) {
      while (run("incident", "describe", id).exit() != 0) {
        assertThat(System.nanoTime()).as(id + " stands still").isLessThan(deadline);
        LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
      }
    }
  }

  @Test
  void incidentsAreListedDescribedAndResolvedByTheirCause() {
    standStill("i-1", "i-2");
    assertThat(run("incident", "list").ends(Exit.DONE).out())
        .contains("operation-failed", "i-1", "i-2", "ask#1");
    assertThat(run("incident", "list", "-q", "--kind", "operation-failed").out().lines())
        .contains("i-1", "i-2");
    assertThat(run("incident", "list", "--kind", "drift").ends(Exit.DONE).out()).isEmpty();
    assertThat(run("incident", "describe", "i-1").ends(Exit.DONE).out())
        .contains("it is down", "ask#1");
    assertThat(run("incident", "list", "--by-cause").ends(Exit.DONE).out())
        .contains("COUNT", "operation-failed");
    JsonNode group = run("incident", "list", "--by-cause", "-o", "json").ends(Exit.DONE).json();
    String cause = group.get("fingerprint").asText();

    String[] those = {"--cause", cause, "--note", "it is up"};
    assertThat(run("incident", "resolve", those).ends(Exit.DONE).out())
        .contains("incidents match. Nothing was done", "--confirm ");
    String[] asJson = {"--cause", cause, "--note", "it is up", "-o", "json"};
    JsonNode counted = run("incident", "resolve", asJson).ends(Exit.DONE).json();
    Fragile.DOWN.set(false);
    String confirmation = counted.get("confirmation").asText();
    assertThat(run("incident", "resolve", "--confirm", confirmation).ends(Exit.DONE).out())
        .contains("resolved", "0 stand still as before");
    assertThat(run("workflow", "result", "i-2").ends(Exit.DONE).out()).isEqualTo("\"ab\"\n");
    run("incident", "describe", "i-2").ends(Exit.NOT_FOUND);
  }

  @Test
  void oneIsTriedAgainAndForked() {
    standStill("o-1");
    run("workflow", "retry-step", "o-1", "other#1").ends(Exit.CONFLICT);
    run("workflow", "move", "o-1", "--type-version", "7", "--note", "n").ends(Exit.CONFLICT);
    Fragile.DOWN.set(false);
    assertThat(run("workflow", "retry-step", "o-1", "ask#1").ends(Exit.DONE).out())
        .contains("is tried again");
    run("workflow", "result", "o-1").ends(Exit.DONE);
    String[] fork = {"o-1", "--from", "ask#1", "--key", "k"};
    String forked = run("workflow", "fork", fork).ends(Exit.DONE).out().strip();
    assertThat(run("workflow", "fork", fork).out().strip()).isEqualTo(forked);
    assertThat(run("workflow", "result", forked).ends(Exit.DONE).out()).isEqualTo("\"ab\"\n");
    run("workflow", "fork", "o-1", "--from", "never#1").ends(Exit.NOT_FOUND);
  }

  @Test
  void someAreResolvedByTheirIdsAndAnUnclearCommandIsRefused() {
    standStill("r-1", "r-2");
    Fragile.DOWN.set(false);
    assertThat(run("incident", "resolve", "r-1", "r-2", "--note", "up").ends(Exit.DONE).out())
        .contains("\"r-1\" goes on", "\"r-2\" goes on");
    run("workflow", "result", "r-1").ends(Exit.DONE);
    run("incident", "resolve", "--note", "up").ends(Exit.USAGE);
    run("incident", "resolve", "r-1", "--all", "--note", "up").ends(Exit.USAGE);
    run("incident", "resolve", "--all").ends(Exit.USAGE);
    run("incident", "resolve", "--confirm", "guess").ends(Exit.USAGE);
    run("incident", "describe", "nobody").ends(Exit.NOT_FOUND);
  }
}
