package dev.tenure.examples;

import dev.tenure.examples.counter.Counter;
import dev.tenure.examples.expense.ConsoleExpenseDesk;
import dev.tenure.examples.expense.Expense;
import dev.tenure.examples.expense.ExpenseDesk;
import dev.tenure.examples.invoicing.InMemoryLedger;
import dev.tenure.examples.invoicing.InvoiceRun;
import dev.tenure.examples.invoicing.Ledger;
import dev.tenure.examples.office.OfficeOrder;
import dev.tenure.examples.order.InMemoryShop;
import dev.tenure.examples.order.Order;
import dev.tenure.examples.order.Shop;
import dev.tenure.examples.subscription.Billing;
import dev.tenure.examples.subscription.InMemoryBilling;
import dev.tenure.examples.subscription.Subscription;
import dev.tenure.examples.welcome.ConsoleDesk;
import dev.tenure.examples.welcome.Desk;
import dev.tenure.examples.welcome.Welcome;
import dev.tenure.workflow.WorkflowModule;
import java.util.Map;

/** All examples, with the systems that they call. {@code ./tenure dev} finds them here. */
public final class ExampleWorkflows implements WorkflowModule {
  private final Desk desk;
  private final Shop shop;
  private final Billing billing;
  private final Ledger ledger;
  private final ExpenseDesk expenses;

  /** For the service loader: everything that is called lives in this process. */
  public ExampleWorkflows() {
    this(
        new ConsoleDesk(System.out),
        new InMemoryShop(
            Map.of("book", 1_000, "lamp", 1_000), Map.of("ada", 10_000_000L, "grace", 1_000L)),
        new InMemoryBilling(),
        new InMemoryLedger(customer -> 1_000 + customer.length()),
        new ConsoleExpenseDesk(System.out));
  }

  public ExampleWorkflows(
      Desk desk, Shop shop, Billing billing, Ledger ledger, ExpenseDesk expenses) {
    this.desk = desk;
    this.shop = shop;
    this.billing = billing;
    this.ledger = ledger;
    this.expenses = expenses;
  }

  @Override
  public void register(Registry registry) {
    registry
        .workflow(Welcome.class, () -> new Welcome(desk))
        .workflow(Order.class, () -> new Order(shop))
        .activity(Order.SHIP, (call, parcel) -> shop.ship(call.idempotencyKey(), parcel))
        .workflow(Subscription.class, () -> new Subscription(billing))
        .workflow(InvoiceRun.class, () -> new InvoiceRun(ledger))
        .workflow(OfficeOrder.class)
        .workflow(Expense.class, () -> new Expense(expenses))
        .workflow(Counter.class);
  }
}
