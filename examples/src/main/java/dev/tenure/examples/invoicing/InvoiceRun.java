package dev.tenure.examples.invoicing;

import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import java.util.List;

/**
 * Writes the invoices of all customers, twenty at a time, then adds them up. After a crash, only
 * those invoices are written again whose result was not recorded yet.
 */
@Workflow(name = "invoice-run")
public final class InvoiceRun {
  /** The ledger has other callers, too. */
  static final int AT_A_TIME = 20;

  private final Ledger ledger;

  public InvoiceRun(Ledger ledger) {
    this.ledger = ledger;
  }

  public InvoiceTotal run(WorkflowContext ctx, InvoiceMonth month) {
    // The customer is the key: adding one to the list does not shift the others.
    List<Long> invoices =
        ctx.forEach(
            month.customers(),
            AT_A_TIME,
            customer -> customer,
            customer -> ctx.step("invoice", () -> ledger.invoice(month.month(), customer)));

    long cents = invoices.stream().mapToLong(Long::longValue).sum();

    ctx.step("post", () -> ledger.post(month.month(), cents));
    return new InvoiceTotal(invoices.size(), cents);
  }
}
