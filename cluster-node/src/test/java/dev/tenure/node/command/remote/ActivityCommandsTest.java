package dev.tenure.node.command.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.node.AnyNode;
import dev.tenure.node.Main;
import dev.tenure.node.TenureNode;
import dev.tenure.persistence.activity.ActivityEffect;
import dev.tenure.persistence.activity.ActivityRecord;
import dev.tenure.persistence.postgres.PostgresStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.WorkflowId;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What an operator types when payments may have been made. */
class ActivityCommandsTest {
  private static final String KIND = "activity-indeterminate";
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
        AnyNode.on(database)
            .setting("tenure.http.access", "open")
            .workflow(Payment.class)
            .workflow(Fragile.class)
            .activity(Payment.PAY, Payment::pay)
            .start();
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

  private static void standStill(String type, String... ids) {
    Payment.SILENT.set(true);
    Fragile.DOWN.set(true);
    for (String id : ids) run("workflow", "start", type, "--id", id).ends(Exit.DONE);
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    for (String id : ids) {
      while (run("incident", "describe", id).exit() != 0) {
        assertThat(System.nanoTime()).as(id + " stands still").isLessThan(deadline);
        LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
      }
    }
  }

  private static String result(String id) {
    return run("workflow", "result", id).ends(Exit.DONE).out().strip();
  }

  @Test
  void theRecordsSayWhatIsKnownOfAPayment() {
    standStill("payment", "seen");
    assertThat(run("workflow", "activities", "seen").ends(Exit.DONE).out())
        .contains("ACTIVITY", "EVIDENCE", "pay#1", "indeterminate");
    JsonNode record = run("workflow", "activities", "seen", "-o", "json").ends(Exit.DONE).json();
    assertThat(record.get("operation").asText()).isEqualTo("pay#1");
    assertThat(record.get("status").asText()).isEqualTo("indeterminate");
    assertThat(run("incident", "describe", "seen").ends(Exit.DONE).out()).contains(KIND, "pay#1");
    run("workflow", "activities", "nobody").ends(Exit.NOT_FOUND);
    run("workflow", "activities", "seen", "--limit", "0").ends(Exit.USAGE);
    conclude("seen", "--result", "1");
  }

  private static Ran conclude(String id, String... how) {
    List<String> all = new ArrayList<>(List.of(id, "pay#1", "--note", "looked it up"));
    all.addAll(List.of(how));
    return run("workflow", "conclude", all.toArray(String[]::new));
  }

  @Test
  void onePaymentIsConcludedWithAResultOrAFailure() {
    standStill("payment", "made", "refused");
    conclude("made").ends(Exit.USAGE);
    conclude("made", "--result", "1", "--failure", "x").ends(Exit.USAGE);
    conclude("made", "--message", "x").ends(Exit.USAGE);
    conclude("made", "--result", "1", "--no-effect").ends(Exit.USAGE);
    conclude("made", "--result", "no JSON").ends(Exit.USAGE);
    run("workflow", "conclude", "made", "pay#1", "--result", "1").ends(Exit.USAGE);
    run("workflow", "conclude", "made", "pay#2", "--result", "1", "--note", "n")
        .ends(Exit.CONFLICT);
    assertThat(conclude("made", "--result", "\"by phone\"").ends(Exit.DONE).out())
        .contains("pay#1 is completed");
    assertThat(result("made")).isEqualTo("\"by phone\"");
    conclude("made", "--result", "\"again\"").ends(Exit.CONFLICT);
    String[] failure = {"--failure", "shop.Refused", "--message", "no money", "-o", "json"};
    assertThat(conclude("refused", failure).ends(Exit.DONE).json().get("applied").asBoolean())
        .isTrue();
    assertThat(result("refused")).isEqualTo("\"shop.Refused: no money\"");
  }

  @Test
  void whatAnOperatorDoesIsAboutTheAttemptThatWasSeen() {
    standStill("payment", "meant");
    conclude("meant", "--result", "1", "--attempt", "1").ends(Exit.CONFLICT);
    conclude("meant", "--result", "1", "--run", "another").ends(Exit.CONFLICT);
    String[] early = {"meant", "pay#1", "--attempt", "1", "--note", "n", "-o", "json"};
    assertThat(run("workflow", "retry-step", early).ends(Exit.DONE).json().get("applied"))
        .hasToString("false");
    assertThat(run("incident", "describe", "meant").ends(Exit.DONE).out())
        .containsPattern("(?i)status +indeterminate");
    String[] failure = {"--failure", "shop.Refused", "--no-effect", "--attempt", "2"};
    conclude("meant", failure).ends(Exit.DONE);
    assertThat(result("meant")).isEqualTo("\"shop.Refused: , without effect\"");
  }

  @Test
  void aResultThatIsOnRecordIsShownAndTaken() {
    standStill("payment", "proven");
    WorkflowId id = WorkflowId.of("proven");
    try (Storage storage = PostgresStorage.open(TestDatabase.settings(database.url()))) {
      ActivityRecord record = storage.activities().of(id, 1).getFirst();
      int shard = storage.incidents().find(id).orElseThrow().shard();
      Payload result = Payload.of("\"receipt 4711\"".getBytes(StandardCharsets.UTF_8));
      storage
          .activities()
          .complete(
              List.of(
                  new ActivityEffect(record.key(), shard, Optional.of(result), Optional.empty())));
    }
    assertThat(run("incident", "describe", "proven").ends(Exit.DONE).out())
        .containsPattern("(?i)status +completed")
        .containsPattern("(?i)result +\"receipt 4711\"");
    String[] failure = {"--failure", "shop.Refused", "--message", "not paid"};
    assertThat(conclude("proven", failure).ends(Exit.CONFLICT).err()).contains("receipt 4711");
    resolve("proven").ends(Exit.DONE);
    assertThat(result("proven")).isEqualTo("\"receipt 4711\"");
  }

  private static Ran resolve(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--note", "looked it up"));
    return run("incident", "resolve", all.toArray(String[]::new));
  }

  @Test
  void theIncidentsOfSomeAreResolvedAsTheirOperatorSays() {
    standStill("payment", "r-1", "r-2", "c-1", "f-1", "v-1");
    standStill("fragile", "broken");
    resolve("r-1", "--do", "complete").ends(Exit.USAGE);
    resolve("r-1", "--do", "fail", "--result", "1").ends(Exit.USAGE);
    resolve("r-1", "--do", "retry", "--result", "1").ends(Exit.USAGE);
    resolve("r-1", "--do", "forget").ends(Exit.USAGE);
    assertThat(resolve("broken", "--do", "retry").ends(Exit.CONFLICT).err())
        .contains("operation-failed", KIND);
    // Asked again, nothing can be told either.
    resolve("v-1", "--do", "verify").ends(Exit.DONE);
    Payment.SILENT.set(false);
    assertThat(resolve("r-1", "r-2", "--do", "retry").ends(Exit.DONE).out())
        .contains("\"r-1\" goes on", "\"r-2\" goes on");
    assertThat(result("r-2")).isEqualTo("\"paid r-2\"");
    resolve("c-1", "--do", "complete", "--result", "\"by phone\"").ends(Exit.DONE);
    assertThat(result("c-1")).isEqualTo("\"by phone\"");
    resolve("f-1", "--do", "fail", "--failure", "Refused", "--message", "no").ends(Exit.DONE);
    assertThat(result("f-1")).isEqualTo("\"Refused: no\"");
  }

  @Test
  void manyAreCountedAndConcludedTogether() {
    standStill("payment", "many-1", "many-2");
    standStill("fragile", "other");
    String[] those = {"--all", "--do", "complete", "--result", "\"all\"", "-o", "json"};
    JsonNode counted = resolve(those).ends(Exit.DONE).json();
    String confirmation = counted.get("confirmation").asText();
    run("incident", "resolve", "--confirm", confirmation, "--do", "retry").ends(Exit.USAGE);
    run("incident", "resolve", "--confirm", confirmation).ends(Exit.DONE);
    assertThat(result("many-1")).isEqualTo("\"all\"");
    assertThat(result("many-2")).isEqualTo("\"all\"");
    run("incident", "describe", "other").ends(Exit.DONE);
    resolve("--kind", "drift", "--do", "retry").ends(Exit.USAGE);
  }
}
