package dev.tenure.sharding.workflow;

import static dev.tenure.sharding.program.ListInterpreter.list;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.definition.Definition;
import dev.tenure.persistence.definition.Definitions;
import dev.tenure.persistence.definition.ForwardingDefinitions;
import dev.tenure.persistence.storage.ForwardingStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.message.Description;
import dev.tenure.sharding.process.Await;
import dev.tenure.sharding.program.ListInterpreter;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Accounting;
import dev.tenure.workflow.kernel.Status;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Which version a run of a stored program gets whose start names none. */
class NewestDefinitionsTest {
  private static final ActivityDefinition<Integer, Integer> ADD =
      ActivityDefinition.of("add", Integer.class, Integer.class);

  private static final Runnable NOTHING = () -> {};

  /** What happens while the next definition is read. */
  private static final AtomicReference<Runnable> MEANWHILE = new AtomicReference<>(NOTHING);

  private static TestNode node;

  private static final class Watched extends ForwardingStorage {
    Watched(Storage inner) {
      super(inner);
    }

    @Override
    public Definitions definitions() {
      return new ForwardingDefinitions(super.definitions()) {
        @Override
        public Optional<Definition> find(WorkflowType type) {
          MEANWHILE.getAndSet(NOTHING).run();
          return super.find(type);
        }
      };
    }
  }

  @BeforeAll
  static void open() {
    node =
        TestNode.start(
            new TestNode.Plan()
                .storage(Watched::new)
                .with(ActivityRegistration.of(ADD, (call, number) -> number + 1))
                .settings(given -> given.withInterpreters(List.of(new ListInterpreter()))));
  }

  @AfterAll
  static void close() {
    node.close();
  }

  private static StartRequest request(String id, String name) {
    return StartRequest.of(id, name, TestNode.json(1))
        .program(ListInterpreter.KIND, Accounting.CODE);
  }

  private static Description until(StartRequest request, Status status) {
    TestNode.await(node.workflows().start(request));
    String id = request.id().value();
    Await.until(id + " is " + status, TestNode.SOON, () -> node.describe(id).status() == status);
    return node.describe(id);
  }

  @Test
  void aStartOfAVersionThatIsNotStoredChangesNoOther() {
    node.storage.definitions().keep(list("imagined", 1, "activity add"));
    until(request("imagined-1", "imagined").version(Integer.MAX_VALUE), Status.BLOCKED);
    Description described = until(request("imagined-2", "imagined"), Status.COMPLETED);
    assertThat(described.type().version()).isEqualTo(1);
  }

  /** The version is decided after the newest was read, and another start has read a newer one. */
  @Test
  void aRunIsNotOfAVersionWhoseProgramItDoesNotRun() {
    node.storage.definitions().keep(list("raced", 1, "signal go"));
    MEANWHILE.set(
        () -> {
          node.storage.definitions().keep(list("raced", 2, "dance waltz"));
          node.node
              .host()
              .programs
              .read(ListInterpreter.KIND, new WorkflowType("raced", WorkflowType.UNDECIDED));
        });
    Description described = until(request("raced", "raced"), Status.BLOCKED);
    assertThat(described.type().version()).isEqualTo(2);
  }
}
