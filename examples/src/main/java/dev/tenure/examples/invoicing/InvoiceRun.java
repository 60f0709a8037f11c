package dev.tenure.examples.invoicing;

import dev.tenure.workflow.Handle;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import java.util.List;

/**
 * Writes the invoices of all customers side by side, then adds them up. After a crash, only those
 * invoices are written again whose result was not recorded yet.
 */
@Workflow(name = "invoice-run")
public final class InvoiceRun {
  private final Ledger ledger;

  public InvoiceRun(Ledger ledger) {
    this.ledger = ledger;
  }

  public InvoiceTotal run(WorkflowContext ctx, InvoiceMonth month) {
    List<Handle<Long>> invoices =
        month.customers().stream().map(customer -> invoice(ctx, month, customer)).toList();

    long cents = ctx.all(invoices).stream().mapToLong(Long::longValue).sum();

    ctx.step("post", () -> ledger.post(month.month(), cents));
    return new InvoiceTotal(invoices.size(), cents);
  }

  // The customer is the key: adding one to the list does not shift the others.
  private Handle<Long> invoice(WorkflowContext ctx, InvoiceMonth month, String customer) {
    return ctx.stepAsync(
        "invoice", StepOptions.key(customer), () -> ledger.invoice(month.month(), customer));
  }
}
