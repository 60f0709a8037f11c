package dev.tenure.examples.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.client.QueryDefinition;
import dev.tenure.client.SignalReceipt;
import dev.tenure.client.TenureClient;
import dev.tenure.client.TenureException;
import dev.tenure.client.WorkflowFilter;
import dev.tenure.client.WorkflowHandle;
import dev.tenure.client.WorkflowStatus;
import dev.tenure.client.WorkflowSummary;
import dev.tenure.client.WorkflowType;
import dev.tenure.examples.node.Engine;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the guide shows of a client without a node. */
class FarAwayTest {
  static final WorkflowType<String, String> TRIP =
      WorkflowType.of("trip", String.class, String.class);

  static final QueryDefinition<Void, String> TO = QueryDefinition.of("to", String.class);

  record Ticket(String train, int seat) {}

  @Workflow(name = "trip")
  public static class Trip {
    public String run(WorkflowContext ctx, String to) {
      ctx.onQuery("to", () -> to);
      Ticket ticket = ctx.awaitSignal("ticket", Ticket.class);
      return to + " by " + ticket.train();
    }
  }

  @Test
  void aWorkflowIsUsedFromAfar() {
    try (Engine engine =
            Engine.start(node -> node.workflow(Trip.class).setting("tenure.http.access", "open"));
        TenureClient tenure = TenureClient.to(engine.node().http()).build()) {
      WorkflowHandle<String> trip = tenure.start(TRIP, "trip-1", "Turin");
      assertThat(trip.query(TO)).isEqualTo("Turin");
      trip.signal("ticket", new Ticket("EC 151", 42), "mail-4711");
      String how = trip.result();

      assertThat(how).isEqualTo("Turin by EC 151");
      assertThat(bookAgain(tenure, "trip-1")).isEqualTo("trip-1 is completed");
      List<String> done =
          tenure
              .list(WorkflowFilter.ALL.type("trip").status(WorkflowStatus.COMPLETED))
              .map(WorkflowSummary::workflowId)
              .toList();
      assertThat(done).containsExactly("trip-1");
    }
  }

  private static String bookAgain(TenureClient tenure, String id) {
    try {
      return tenure.start(TRIP, id, "Turin").result();
    } catch (TenureException.AlreadyStarted taken) {
      return id + " is " + taken.status().word();
    } catch (TenureException.OutcomeUnknown lost) {
      return "once more, under " + lost.key().orElseThrow();
    }
  }

  static SignalReceipt guarded(String server, String key) {
    try (TenureClient tenure = TenureClient.to(server).credential(key).build()) {
      return tenure.workflow("trip-1", TRIP).signal("ticket", new Ticket("EC 151", 42));
    }
  }
}
