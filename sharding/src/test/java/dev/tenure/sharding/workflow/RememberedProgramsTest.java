package dev.tenure.sharding.workflow;

import static dev.tenure.sharding.program.ListInterpreter.list;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.sharding.program.ListInterpreter;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.audit.HistoryAudit;
import dev.tenure.workflow.kernel.Accounting;
import dev.tenure.workflow.kernel.Kernel;
import dev.tenure.workflow.kernel.Status;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Programs that remember are taken up in a time that does not depend on how long they lived. */
class RememberedProgramsTest {
  private static final ActivityDefinition<Integer, Integer> ADD =
      ActivityDefinition.of("add", Integer.class, Integer.class);

  /** Counts what is read of the journal. */
  private static final class Counting extends ForwardingStorage {
    private int rows;

    Counting(Storage inner) {
      super(inner);
    }

    @Override
    public List<List<JournalRow>> read(List<JournalRead> reads) {
      List<List<JournalRow>> read = super.read(reads);
      for (List<JournalRow> one : read) rows += one.size();
      return read;
    }
  }

  private Counting storage;
  private final TestLoopNode node =
      new TestLoopNode(
          inner -> storage = new Counting(inner),
          ActivityRegistration.of(ADD, (call, number) -> number + 1));

  @AfterEach
  void remembers() {
    ListInterpreter.forgetful = false;
    ListInterpreter.plain = false;
  }

  /** A list of so many additions, which then waits for a signal, and adds once more. */
  private static String[] lines(int additions) {
    String[] lines = new String[additions + 2];
    Arrays.fill(lines, "activity add");
    lines[additions] = "signal go";
    return lines;
  }

  private void begin(String id, int additions) {
    node.works(OwnerLimits.DEFAULT.withEventsPerSnapshot(20), Kernel.standard());
    node.storage.definitions().keep(list("adds-" + additions, 1, lines(additions)));
    node.workflows()
        .start(
            StartRequest.of(id, "adds-" + additions, TestNode.json(0))
                .program(ListInterpreter.KIND, Accounting.CODE));
    node.quiet();
  }

  /** Another node takes it up; returns how many rows of the journal are read for that. */
  private int takenUp(String id) {
    node.dies();
    storage.rows = 0;
    assertThat(status(id)).isEqualTo(Status.WAITING);
    return storage.rows;
  }

  private Status status(String id) {
    var described = node.workflows().describe(WorkflowId.of(id)).toCompletableFuture();
    node.quiet();
    return described.join().status();
  }

  private void assertGoesOn(String id) {
    node.signal(id, "go", 41);
    assertThat(node.result(id)).isEqualTo("42");
    HistoryAudit audit = new HistoryAudit(id);
    Journal.steps(node.storage, id).forEach(entry -> audit.commit(entry.events()));
    assertThat(audit.isClosed()).isTrue();
  }

  @Test
  void aRecoveryReadsAsMuchOfALongHistoryAsOfAShortOne() {
    begin("short", 60);
    begin("long", 600);
    assertThat(node.events("long").size()).isGreaterThan(1_200);
    // What is read before the look for a snapshot, the row that it stands for, and what follows.
    assertThat(takenUp("short")).isLessThan(30);
    assertThat(takenUp("long")).isLessThan(30);
    assertGoesOn("short");
    assertGoesOn("long");
  }

  @Test
  void oneThatCannotGoOnFromWhatWasRememberedLearnsTheWholeHistory() {
    begin("w", 100);
    ListInterpreter.forgetful = true;
    assertThat(takenUp("w")).isGreaterThan(100);
    assertGoesOn("w");
  }

  /** What one remembered is there, and the interpreter's programs do not remember any more. */
  @Test
  void soDoesOneThatRemembersNothing() {
    begin("w", 100);
    ListInterpreter.plain = true;
    assertThat(takenUp("w")).isGreaterThan(100);
    assertGoesOn("w");
  }

  @Test
  void aMoveToAnotherVersionNeedsTheWholeHistory() {
    begin("w", 100);
    node.storage.definitions().keep(list("adds-100", 2, lines(100)));
    node.dies();
    storage.rows = 0;
    var moved =
        node.workflows().moveToVersion(WorkflowId.of("w"), 2, "newer").toCompletableFuture();
    node.quiet();
    assertThat(moved.join()).isTrue();
    assertThat(storage.rows).isGreaterThan(100);
    assertGoesOn("w");
  }

  /** What came while it was paused it learns when it is resumed, by whichever owner. */
  @Test
  void whatWasWithheldIsNotForgotten() {
    begin("w", 100);
    node.workflows().pause(WorkflowId.of("w"), "look");
    node.quiet();
    node.signal("w", "go", 41);
    node.dies();
    storage.rows = 0;
    assertThat(status("w")).isEqualTo(Status.PAUSED);
    assertThat(storage.rows).isLessThan(30);
    node.dies();
    node.workflows().resume(WorkflowId.of("w"));
    node.quiet();
    assertThat(node.result("w")).isEqualTo("42");
  }
}
