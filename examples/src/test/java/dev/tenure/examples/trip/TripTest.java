package dev.tenure.examples.trip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.sharding.client.WorkflowFailedException;
import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.testkit.TenureExtension;
import dev.tenure.testkit.TestEngine;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Saga;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowFailure;
import dev.tenure.workflow.kernel.Status;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A hotel and a flight are booked side by side, and paid. */
class TripTest {
  /** What was done, in order. */
  private static final class Agency {
    private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    private boolean hasSeats = true;
    private boolean answersPayments = true;
    private int refundsThatFail;

    String bookHotel(String traveller) {
      calls.add("hotel for " + traveller);
      return "room 7";
    }

    void cancelHotel(String room) {
      calls.add("cancel " + room);
    }

    String bookFlight(String traveller) {
      if (!hasSeats) throw WorkflowFailure.permanent("no-seat", "no seat for " + traveller);
      calls.add("flight for " + traveller);
      return "seat 3";
    }

    void cancelFlight(String seat) {
      calls.add("cancel " + seat);
    }

    String pay(String key) throws IOException {
      calls.add("pay");
      if (!answersPayments) throw new IOException("the answer was lost");
      return "receipt of " + key;
    }

    void refund(String key) throws IOException {
      if (refundsThatFail-- > 0) throw new IOException("the bank is away");
      calls.add("refund");
    }
  }

  @Workflow(name = "trip")
  public static final class Trip {
    private static final StepOptions ONCE = StepOptions.retry(RetryPolicy.NONE);

    private final Agency agency;

    Trip(Agency agency) {
      this.agency = agency;
    }

    public List<String> run(WorkflowContext ctx, String traveller) throws IOException {
      return ctx.saga(saga -> book(ctx, saga, traveller));
    }

    private List<String> book(WorkflowContext ctx, Saga saga, String traveller) throws IOException {
      Handle<String> hotel =
          ctx.async(
              "hotel",
              () -> saga.step("book", () -> agency.bookHotel(traveller), agency::cancelHotel));
      Handle<String> flight =
          ctx.async(
              "flight",
              () -> saga.step("book", () -> agency.bookFlight(traveller), agency::cancelFlight));
      List<String> booked = ctx.all(List.of(hotel, flight));

      // The key is asked for before the step: its compensation needs it when there is no receipt.
      String key = ctx.idempotencyKey("pay");
      saga.stepUndoneEvenIfFailed(
          "pay", ONCE, () -> agency.pay(key), receipt -> agency.refund(key));
      return booked;
    }
  }

  private final Agency agency = new Agency();

  @RegisterExtension
  final TenureExtension tenure = TenureExtension.with(Trip.class, () -> new Trip(agency));

  private WorkflowHandle<List<String>> start(TestEngine engine) {
    return engine.workflows().start(Trip::run, "trip-1", "ann");
  }

  @Test
  void aTripIsBookedAndPaid(TestEngine engine) {
    assertThat(start(engine).result()).containsExactly("room 7", "seat 3");
    assertThat(agency.calls).containsExactly("hotel for ann", "flight for ann", "pay");
  }

  @Test
  void withoutASeatTheRoomIsGivenBack(TestEngine engine) {
    agency.hasSeats = false;
    assertThatThrownBy(() -> start(engine).result()).isInstanceOf(WorkflowFailedException.class);
    assertThat(agency.calls).containsExactly("hotel for ann", "cancel room 7");
  }

  @Test
  void aPaymentWhoseAnswerIsLostIsRefunded(TestEngine engine) {
    agency.answersPayments = false;
    assertThatThrownBy(() -> start(engine).result()).isInstanceOf(WorkflowFailedException.class);
    assertThat(agency.calls)
        .containsExactly(
            "hotel for ann", "flight for ann", "pay", "refund", "cancel seat 3", "cancel room 7");
  }

  @Test
  void aBankThatIsAwayForHoursIsAnIncident(TestEngine engine) {
    agency.answersPayments = false;
    agency.refundsThatFail = 10;
    WorkflowHandle<List<String>> trip = start(engine);
    engine.pass(java.time.Duration.ofHours(1));
    assertThat(trip.describe().status()).isEqualTo(Status.INCIDENT);
    assertThat(trip.describe().incident().orElseThrow().message()).contains("the bank is away");
    assertThat(agency.calls).doesNotContain("cancel room 7");

    // The bank is back.
    assertThat(trip.resolveIncident("The bank is back.")).isTrue();
    assertThatThrownBy(trip::result).isInstanceOf(WorkflowFailedException.class);
    assertThat(agency.calls).endsWith("refund", "cancel seat 3", "cancel room 7");
  }

  @Test
  void crashesChangeNothing(TestEngine engine) {
    engine.crashAfterEveryCommit();
    agency.answersPayments = false;
    assertThatThrownBy(() -> start(engine).result()).isInstanceOf(WorkflowFailedException.class);
    assertThat(agency.calls).endsWith("refund", "cancel seat 3", "cancel room 7");
  }
}
