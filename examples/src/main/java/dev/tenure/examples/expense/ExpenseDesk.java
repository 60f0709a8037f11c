package dev.tenure.examples.expense;

/** What writes to people and pays them. */
public interface ExpenseDesk {
  void ask(ExpenseClaim claim);

  /**
   * @param number counts from 1
   */
  void remind(ExpenseClaim claim, int number);

  /**
   * @param idempotencyKey the same again pays nothing more
   */
  void pay(String idempotencyKey, ExpenseClaim claim);
}
