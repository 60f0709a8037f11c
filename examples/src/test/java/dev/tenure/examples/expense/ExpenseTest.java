package dev.tenure.examples.expense;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.testkit.TenureExtension;
import dev.tenure.testkit.TestEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ExpenseTest {
  private static final ExpenseClaim CLAIM =
      new ExpenseClaim("ada", 12_000, "grace", Duration.ofDays(1));

  private final List<String> letters = new ArrayList<>();

  private final class Letters implements ExpenseDesk {
    @Override
    public void ask(ExpenseClaim claim) {
      letters.add("ask " + claim.approver());
    }

    @Override
    public void remind(ExpenseClaim claim, int number) {
      letters.add("remind " + claim.approver() + " " + number);
    }

    @Override
    public void pay(String idempotencyKey, ExpenseClaim claim) {
      letters.add("pay " + claim.employee() + " " + claim.cents());
    }
  }

  @RegisterExtension
  final TenureExtension tenure =
      TenureExtension.with(Expense.class, () -> new Expense(new Letters()));

  @Test
  void anApproverIsRemindedUntilThereIsADecision(TestEngine engine) {
    WorkflowHandle<String> expense = engine.workflows().start(Expense::run, "trip-1", CLAIM);
    engine.pass(Duration.ofHours(50));
    expense.signal(Expense.DECISION, new Decision(true, "grace"));

    assertThat(expense.result()).isEqualTo("paid, approved by grace");
    assertThat(letters)
        .containsExactly("ask grace", "remind grace 1", "remind grace 2", "pay ada 12000");
  }

  @Test
  void itDoesNotWaitForEver(TestEngine engine) {
    assertThat(engine.workflows().start(Expense::run, "trip-2", CLAIM).result())
        .isEqualTo("nobody decided");
    assertThat(letters).hasSize(4).last().isEqualTo("remind grace 3");
  }

  @Test
  void whatIsRefusedIsNotPaid(TestEngine engine) {
    engine.crashAfterEveryCommit();
    WorkflowHandle<String> expense = engine.workflows().start(Expense::run, "trip-3", CLAIM);
    expense.signal(Expense.DECISION, new Decision(false, "grace"));
    assertThat(expense.result()).isEqualTo("refused by grace");
    assertThat(letters).containsExactly("ask grace");
  }
}
