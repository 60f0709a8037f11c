package dev.tenure.examples.expense;

import java.io.PrintStream;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Prints what it would send. */
public final class ConsoleExpenseDesk implements ExpenseDesk {
  private final PrintStream out;
  private final Set<String> paid = ConcurrentHashMap.newKeySet();

  public ConsoleExpenseDesk(PrintStream out) {
    this.out = out;
  }

  @Override
  public void ask(ExpenseClaim claim) {
    out.printf(
        "mail to %s: may %s have %d cents?%n", claim.approver(), claim.employee(), claim.cents());
  }

  @Override
  public void remind(ExpenseClaim claim, int number) {
    out.printf(
        "mail to %s: %s still waits, reminder %d%n", claim.approver(), claim.employee(), number);
  }

  @Override
  public void pay(String idempotencyKey, ExpenseClaim claim) {
    if (paid.add(idempotencyKey)) out.printf("%d cents to %s%n", claim.cents(), claim.employee());
  }
}
