package dev.tenure.examples.welcome;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.examples.node.Engine;
import dev.tenure.node.NodeBuilder;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.client.WorkflowClient;
import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** One welcome on two nodes, the second of which starts when the first is gone. */
class WelcomeTest {
  private static final class RecordingDesk implements Desk {
    private final AtomicInteger vouchers = new AtomicInteger();
    private final List<String> mails = new CopyOnWriteArrayList<>();

    @Override
    public String issueVoucher(String name) {
      return name + "-" + vouchers.incrementAndGet();
    }

    @Override
    public void mail(String address, String text) {
      mails.add(text);
    }
  }

  private final RecordingDesk desk = new RecordingDesk();

  @Test
  void aNewNodeGoesOnWhereTheOldOneWas() {
    NewCustomer ada = new NewCustomer("Ada", "ada@example.com", Duration.ofSeconds(5));
    try (TestDatabase database = TestDatabase.empty()) {
      try (Engine engine = Engine.start(database, this::welcome)) {
        WorkflowClient workflows = engine.workflows();
        WorkflowHandle<String> welcome = workflows.start(Welcome::run, "ada", ada);
        Engine.awaitStatus(welcome, Status.WAITING);
      }
      assertThat(desk.mails).containsExactly("Welcome! Take Ada-1");

      try (Engine engine = Engine.start(database, this::welcome)) {
        WorkflowHandle<String> welcome = engine.workflows().handle("ada", String.class);
        assertThat(welcome.result(Engine.SOON)).isEqualTo("Ada-1");
      }
      assertThat(desk.vouchers).hasValue(1);
      assertThat(desk.mails).containsExactly("Welcome! Take Ada-1", "Ada-1 is still yours");
    }
  }

  @Test
  void threeStepsAndASleepAreFiveCommits() {
    NewCustomer grace = new NewCustomer("Grace", "grace@example.com", Duration.ofMillis(1));
    try (Engine engine = Engine.start(this::welcome)) {
      WorkflowHandle<String> welcome = engine.workflows().start(Welcome::run, "grace", grace);
      assertThat(welcome.result(Engine.SOON)).isEqualTo("Grace-1");
      assertThat(welcome.history(1, 100)).hasSize(5);
    }
  }

  private NodeBuilder welcome(NodeBuilder node) {
    return node.workflow(Welcome.class, () -> new Welcome(desk));
  }
}
