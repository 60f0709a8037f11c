package dev.tenure.examples.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.sharding.workflow.WorkflowError;
import dev.tenure.sharding.workflow.Workflows;
import dev.tenure.testkit.Replays;
import dev.tenure.testkit.TenureExtension;
import dev.tenure.testkit.TestEngine;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the page on changing code shows of versions. */
class VersionsTest {
  /** Waits for the money as long as it takes. */
  @Workflow(name = "booking")
  public static class Booking {
    public String run(WorkflowContext ctx, String room) {
      ctx.step("reserve", () -> room);
      ctx.signals("paid", Long.class).receive();
      return ctx.step("confirm", () -> room + " is yours");
    }
  }

  /** Shows the room, too. */
  @Workflow(name = "booking", version = 2, compatibleWith = 1)
  public static class BookingWithTour {
    public String run(WorkflowContext ctx, String room) {
      ctx.step("reserve", () -> room);
      ctx.signals("paid", Long.class).receive();
      ctx.sleep(Duration.ofDays(1));
      return ctx.step("show around", () -> room + " is yours, and you have seen it");
    }
  }

  /** Begins in another way, which no older run can follow. */
  @Workflow(name = "booking", version = 3)
  public static class BookingOnAccount {
    public String run(WorkflowContext ctx, String room) {
      return ctx.step("open account", () -> room + " is yours, pay later");
    }
  }

  @RegisterExtension
  final TenureExtension tenure =
      TenureExtension.with(Booking.class)
          .workflow(BookingWithTour.class)
          .workflow(BookingOnAccount.class);

  private static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  @Test
  void eachRunStaysWithTheVersionItStartedWith(TestEngine engine) {
    WorkflowHandle<String> first = engine.workflows().start(Booking::run, "booking-1", "the attic");
    WorkflowHandle<String> newest =
        engine
            .workflows()
            .start(engine.workflows().request("booking", "booking-2", "the attic"), String.class);
    first.signal("paid", 80L);

    assertThat(first.result()).isEqualTo("the attic is yours");
    assertThat(newest.result()).isEqualTo("the attic is yours, pay later");
  }

  @Test
  void aRunIsMovedToAVersionThatFits(TestEngine engine) {
    WorkflowHandle<String> booking =
        engine.workflows().start(Booking::run, "booking-3", "the attic");
    Workflows workflows = engine.workflows().async();

    // This asks for nothing of what is on record: refused, and the run stays as it is.
    assertThatThrownBy(() -> await(workflows.moveToVersion(booking.id(), 3, "no deposits")))
        .hasRootCauseInstanceOf(WorkflowError.NotNow.class);

    await(workflows.moveToVersion(booking.id(), 2, "Show them the room first."));
    booking.signal("paid", 80L);
    assertThat(booking.result()).isEqualTo("the attic is yours, and you have seen it");
  }

  @Test
  void whatSaysThatItIsCompatibleIs(TestEngine engine) {
    WorkflowHandle<String> booking =
        engine.workflows().start(Booking::run, "booking-4", "the attic");

    Replays.assertReplays(engine.history(booking), BookingWithTour.class);
  }
}
