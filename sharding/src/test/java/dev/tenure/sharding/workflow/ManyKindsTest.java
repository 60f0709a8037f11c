package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.code.PayloadCodec;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.ChildCall;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Activities, children, compensation, and nodes that stop in between. */
class ManyKindsTest {
  private static final ActivityDefinition<String, String> SHOUT =
      ActivityDefinition.of("shout", String.class, String.class);
  private static final List<String> UNDONE = new CopyOnWriteArrayList<>();

  private WorkflowNode node;

  @Workflow(name = "shouts", version = 1)
  public static final class Shouts {
    public String run(WorkflowContext ctx, String word) {
      return ctx.activity(SHOUT, word);
    }
  }

  @Workflow(name = "parent", version = 1)
  public static final class Parent {
    public String run(WorkflowContext ctx, String word) {
      return ctx.child(ChildCall.to("shouts", String.class).input(word)) + "!";
    }
  }

  @Workflow(name = "booking", version = 1)
  public static final class Booking {
    public String run(WorkflowContext ctx) {
      return ctx.saga(
          saga -> {
            saga.compensateWith("undo flight", () -> UNDONE.add("flight"));
            saga.compensateWith("undo hotel", () -> UNDONE.add("hotel"));
            return ctx.awaitSignal("confirmed", String.class);
          });
    }
  }

  @Workflow(name = "naps", version = 1)
  public static final class Naps {
    public String run(WorkflowContext ctx) {
      List<String> words = new ArrayList<>();
      words.add(ctx.step("first", () -> "a"));
      ctx.sleep(Duration.ofSeconds(2));
      words.add(ctx.step("second", () -> "b"));
      words.add(ctx.awaitSignal("go", String.class));
      return String.join("", words);
    }
  }

  @BeforeEach
  void open() {
    UNDONE.clear();
    node =
        new WorkflowNode(
            List.of(
                WorkflowRegistration.of(Shouts.class, Shouts::new),
                WorkflowRegistration.of(Parent.class, Parent::new),
                WorkflowRegistration.of(Booking.class, Booking::new),
                WorkflowRegistration.of(Naps.class, Naps::new)),
            List.of(ActivityRegistration.of(SHOUT, (context, word) -> word.toUpperCase())));
  }

  @AfterEach
  void close() {
    node.close();
  }

  private void assertResult(String id, String result) {
    assertThat(node.result(id)).isInstanceOf(Outcome.Succeeded.class);
    Outcome.Succeeded succeeded = (Outcome.Succeeded) node.result(id);
    assertThat(PayloadCodec.standard().read(succeeded.value(), String.class, "the result"))
        .isEqualTo(result);
  }

  @Test
  void aParentGetsWhatItsChildsActivityMade() {
    node.start("family", "parent", "hey");

    assertResult("family", "HEY!");
  }

  @Test
  void aCancelledSagaIsUndoneInReverse() {
    node.start("trip", "booking", null);
    awaitStatus("trip", Status.WAITING);

    WorkflowNode.get(node.workflows.cancel(WorkflowId.of("trip"), "rain"));

    assertThat(node.result("trip")).isInstanceOf(Outcome.Cancelled.class);
    assertThat(UNDONE).containsExactly("hotel", "flight");
  }

  @Test
  void aNodeThatStartsAgainWakesWhatBecameDueWhileNobodyAsked() {
    node.start("nap", "naps", null);
    awaitStatus("nap", Status.WAITING);
    node.stop();
    node.start();

    // The row is read from the store: asking the workflow would wake it.
    Await.until("it has slept", WorkflowNode.SOON, () -> node.row("nap").wakeAt().isEmpty());
    node.stop();
    node.start();
    WorkflowNode.get(node.workflows.signal(WorkflowId.of("nap"), "go", Optional.of("one"), "c"));

    assertResult("nap", "abc");
  }

  private void awaitStatus(String id, Status status) {
    Await.until(
        id + " is " + status, WorkflowNode.SOON, () -> node.describe(id).status() == status);
  }
}
