package dev.tenure.sharding.workflow;

import static dev.tenure.sharding.program.ListInterpreter.list;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.definition.Definition;
import dev.tenure.persistence.definition.Definitions;
import dev.tenure.persistence.definition.ForwardingDefinitions;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.host.OwnerLimits;
import dev.tenure.sharding.loop.Loop;
import dev.tenure.sharding.message.Description;
import dev.tenure.sharding.program.ListInterpreter;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.audit.HistoryAudit;
import dev.tenure.workflow.kernel.Accounting;
import dev.tenure.workflow.kernel.Kernel;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Programs that are documents, run by owners on a loop: at every moment their node may die. */
class StoredProgramsOnLoopTest {
  private static final ActivityDefinition<Integer, Integer> ADD =
      ActivityDefinition.of("add", Integer.class, Integer.class);
  private static final ActivityRegistration<Integer, Integer> ADDS =
      ActivityRegistration.of(ADD, (call, number) -> number + 1);

  /** A store whose definitions cannot be read, for as long as somebody says so. */
  private static final class Away extends ForwardingStorage {
    private int failures;
    private int laterFailures;
    private int reads;

    Away(Storage inner) {
      super(inner);
    }

    @Override
    public Definitions definitions() {
      return new ForwardingDefinitions(super.definitions()) {
        @Override
        public Optional<Definition> find(WorkflowType type) {
          reads++;
          if (type.version() > 1 && laterFailures-- > 0 || failures-- > 0)
            throw new StorageException.Unavailable("away on purpose", null);
          return super.find(type);
        }
      };
    }
  }

  @AfterEach
  void remembers() {
    ListInterpreter.forgetful = false;
    ListInterpreter.FORGOTTEN.set(0);
  }

  private static StartRequest request(String id, String name) {
    return StartRequest.of(id, name, TestNode.json(1))
        .program(ListInterpreter.KIND, Accounting.CODE);
  }

  private static void audit(TestLoopNode node, String id) {
    HistoryAudit audit = new HistoryAudit(id);
    var steps = node.workflows().history(WorkflowId.of(id), 1, 1_000).toCompletableFuture();
    node.quiet();
    steps.join().forEach(step -> audit.commit(step.events()));
  }

  /** Crashes the node after so many things have happened; false when all had happened before. */
  private static boolean livesThroughACrashAfter(int tasks) {
    TestLoopNode node = new TestLoopNode(ADDS);
    node.storage
        .definitions()
        .keep(list("list", 1, "activity add", "timer PT1H", "activity add", "timer PT1H"));
    node.workflows().start(request("w", "list"));
    int done = 0;
    while (done < tasks && node.loop.doNext(Loop.Choice.OLDEST).isPresent()) done++;
    if (done < tasks) return false;
    node.dies();
    // Whoever started it and had no answer asks again.
    node.workflows().start(request("w", "list").request("again"));
    node.pass(Duration.ofMinutes(1));
    assertThat(node.result("w")).as("after %d tasks", tasks).isEqualTo("3");
    audit(node, "w");
    return true;
  }

  @Test
  void theNodeMayDieAtAnyMoment() {
    int tasks = 0;
    while (livesThroughACrashAfter(tasks)) tasks++;
    assertThat(tasks).as("moments").isGreaterThan(5);
  }

  @Test
  void aStartWaitsWhileItsDefinitionCannotBeRead() {
    Away[] away = new Away[1];
    TestLoopNode node = new TestLoopNode(inner -> away[0] = new Away(inner), ADDS);
    node.storage.definitions().keep(list("list", 1, "activity add"));
    away[0].failures = 3;
    node.workflows().start(request("w", "list"));
    node.quiet();
    assertThat(node.storage.workflows().find(WorkflowId.of("w"))).isEmpty();
    node.pass(Duration.ofSeconds(5));

    assertThat(node.result("w")).isEqualTo("2");
    assertThat(away[0].reads).isEqualTo(4);
  }

  @Test
  void soDoesAWorkflowThatIsTakenUpAndItIsTerminatedWhenItWasRead() {
    Away[] away = new Away[1];
    TestLoopNode node = new TestLoopNode(inner -> away[0] = new Away(inner), ADDS);
    node.storage.definitions().keep(list("list", 1, "activity add", "timer PT1H"));
    node.workflows().start(request("w", "list"));
    node.quiet();
    node.dies();
    away[0].failures = 2;
    CompletableFuture<?> asked =
        node.workflows().terminate(WorkflowId.of("w"), "enough").toCompletableFuture();
    node.quiet();
    assertThat(asked).isNotDone();
    node.pass(Duration.ofSeconds(5));
    assertThat(asked).isCompleted();
    assertThat(node.end("w").status()).isEqualTo(Status.TERMINATED);
  }

  private static CompletableFuture<Description> described(TestLoopNode node) {
    return node.workflows().describe(WorkflowId.of("w")).toCompletableFuture();
  }

  /**
   * The owner waits for the program, and the next message finds it here, because another workflow
   * has needed it. The owner then begins with that message, and has to begin anew at once.
   */
  @Test
  void aMessageOutlivesTheOwnerThatBeginsWithIt() {
    Away[] away = new Away[1];
    TestLoopNode node = new TestLoopNode(inner -> away[0] = new Away(inner), ADDS);
    node.works(OwnerLimits.DEFAULT.withEventsPerSnapshot(20), Kernel.standard());
    String[] lines = new String[20];
    Arrays.fill(lines, "activity add");
    lines[18] = "signal go";
    node.storage.definitions().keep(list("list", 1, lines));
    node.workflows().start(request("w", "list"));
    node.quiet();
    node.dies();
    away[0].failures = 1;
    CompletableFuture<Description> waits = described(node);
    node.quiet();
    node.workflows().start(request("other", "list"));
    node.quiet();
    assertThat(waits).isNotDone();
    ListInterpreter.forgetful = true;
    CompletableFuture<Description> begins = described(node);
    node.quiet();

    assertThat(waits).isCompleted();
    assertThat(begins).isCompleted();
    assertThat(begins.join().status()).isEqualTo(Status.WAITING);
    assertThat(ListInterpreter.FORGOTTEN).as("owners that began anew").hasValue(1);
  }

  @Test
  void aDefinitionIsReadOnceByANode() {
    Away[] away = new Away[1];
    TestLoopNode node = new TestLoopNode(inner -> away[0] = new Away(inner), ADDS);
    node.storage.definitions().keep(list("list", 1, "activity add"));
    for (int i = 0; i < 5; i++) {
      node.workflows().start(request("w" + i, "list"));
      assertThat(node.result("w" + i)).isEqualTo("2");
    }
    assertThat(away[0].reads).isEqualTo(1);
  }

  @Test
  void oneThatIsStoredLaterIsFoundByTheNextLook() {
    TestLoopNode node = new TestLoopNode(ADDS);
    node.workflows().start(request("w", "list"));
    node.quiet();
    var asked = node.workflows().describe(WorkflowId.of("w")).toCompletableFuture();
    node.quiet();
    Description described = asked.join();
    assertThat(described.status()).isEqualTo(Status.BLOCKED);
    node.pass(Duration.ofMinutes(1));
    assertThat(node.storage.workflows().find(WorkflowId.of("w")).orElseThrow().status())
        .isEqualTo(Status.BLOCKED);
    node.storage.definitions().keep(list("list", 1, "activity add"));
    node.pass(Duration.ofMinutes(1));
    assertThat(node.result("w")).isEqualTo("2");
    audit(node, "w");
  }

  /** The inbox may be read for the run before, and the program of the next run at the same time. */
  @Test
  void aSignalIsReceivedWheneverTheProgramOfTheNextRunIsRead() {
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      Away[] away = new Away[1];
      TestLoopNode node = new TestLoopNode(inner -> away[0] = new Away(inner), ADDS);
      node.storage.definitions().keep(list("list", 1, "activity add", "signal a", "again 2"));
      node.storage.definitions().keep(list("list", 2, "signal go"));
      away[0].laterFailures = 2;
      node.workflows().start(request("w", "list").version(1));
      while (node.storage.workflows().find(WorkflowId.of("w")).isEmpty())
        node.loop.doNext(random::nextInt);
      for (String name : List.of("a", "go", "a")) {
        for (int tasks = random.nextInt(8); tasks > 0; tasks--) node.loop.doNext(random::nextInt);
        node.workflows().signal(WorkflowId.of("w"), name, TestNode.json(9), Optional.empty());
      }
      while (node.loop.doNext(random::nextInt).isPresent()) {}
      node.pass(Duration.ofMinutes(1));
      assertThat(node.storage.workflows().find(WorkflowId.of("w")).orElseThrow().status())
          .as("seed %d", seed)
          .isEqualTo(Status.COMPLETED);
      audit(node, "w");
    }
  }
}
