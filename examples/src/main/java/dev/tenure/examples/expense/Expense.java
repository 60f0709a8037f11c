package dev.tenure.examples.expense;

import dev.tenure.workflow.SignalDefinition;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import java.util.Optional;

/** Asks for an approval, reminds the approver, and does not wait for ever. */
@Workflow(name = "expense")
public final class Expense {
  public static final SignalDefinition<Decision> DECISION =
      SignalDefinition.of("decision", Decision.class);

  private static final int REMINDERS_MAX = 3;

  private final ExpenseDesk desk;

  public Expense(ExpenseDesk desk) {
    this.desk = desk;
  }

  /** Says what became of the claim. */
  public String run(WorkflowContext ctx, ExpenseClaim claim) {
    ctx.step("ask", () -> desk.ask(claim));
    Optional<Decision> decision = ctx.awaitSignal(DECISION, claim.remindAfter());
    for (int i = 1; decision.isEmpty() && i <= REMINDERS_MAX; i++) {
      int number = i;
      ctx.step("remind", () -> desk.remind(claim, number));
      decision = ctx.awaitSignal(DECISION, claim.remindAfter());
    }
    if (decision.isEmpty()) return "nobody decided";
    if (!decision.get().approved()) return "refused by " + decision.get().by();
    ctx.step("pay", () -> desk.pay(ctx.idempotencyKey("pay"), claim));
    return "paid, approved by " + decision.get().by();
  }
}
