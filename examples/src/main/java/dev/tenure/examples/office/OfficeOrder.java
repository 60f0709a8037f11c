package dev.tenure.examples.office;

import dev.tenure.examples.order.Order;
import dev.tenure.examples.order.PlaceOrder;
import dev.tenure.examples.order.Receipt;
import dev.tenure.workflow.ChildCall;
import dev.tenure.workflow.ChildFailedException;
import dev.tenure.workflow.ChildHandle;
import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import java.util.ArrayList;
import java.util.List;

/** One order for each colleague, each a workflow of its own; one that fails spoils no other. */
@Workflow(name = "office-order")
public final class OfficeOrder {

  public Delivery run(WorkflowContext ctx, List<PlaceOrder> orders) {
    List<ChildHandle<Receipt>> placed = orders.stream().map(order -> place(ctx, order)).toList();

    List<String> parcels = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (ChildHandle<Receipt> order : placed) {
      try {
        parcels.add(order.get().parcel());
      } catch (ChildFailedException e) {
        problems.add(order.id() + ": " + e.failure().message());
      }
    }
    return new Delivery(parcels, problems);
  }

  // When the office's order is cancelled, so are its parts: they undo what they did.
  private ChildHandle<Receipt> place(WorkflowContext ctx, PlaceOrder order) {
    return ctx.childAsync(
        ChildCall.to(Order::run, order)
            .id(ctx.info().id() + "/" + order.customer())
            .onParentClose(ParentClosePolicy.CANCEL));
  }
}
