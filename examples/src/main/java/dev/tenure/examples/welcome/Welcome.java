package dev.tenure.examples.welcome;

import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;

/** Sends a new customer a voucher, and reminds of it some time later. */
@Workflow(name = "welcome")
public final class Welcome {
  private final Desk desk;

  public Welcome(Desk desk) {
    this.desk = desk;
  }

  public String run(WorkflowContext ctx, NewCustomer customer) {
    String voucher = ctx.step("voucher", () -> desk.issueVoucher(customer.name()));
    ctx.step("welcome", () -> desk.mail(customer.address(), "Welcome! Take " + voucher));
    ctx.sleep(customer.remindAfter());
    ctx.step("remind", () -> desk.mail(customer.address(), voucher + " is still yours"));
    return voucher;
  }
}
