package dev.tenure.examples.invoicing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.examples.node.Engine;
import dev.tenure.sharding.client.WorkflowHandle;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A thousand steps, some side by side, on a real node. */
class InvoiceRunTest {
  private static final int CUSTOMERS = 1_000;

  @Test
  void everyCustomerIsInvoicedOnceAndTheSumIsBooked() {
    InMemoryLedger ledger = new InMemoryLedger(Long::parseLong);
    AtomicInteger atOnce = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Ledger watched =
        new Ledger() {
          @Override
          public long invoice(String month, String customer) {
            most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            try {
              return ledger.invoice(month, customer);
            } finally {
              atOnce.decrementAndGet();
            }
          }

          @Override
          public void post(String month, long cents) {
            ledger.post(month, cents);
          }
        };
    List<String> customers =
        IntStream.rangeClosed(1, CUSTOMERS).mapToObj(Integer::toString).toList();
    long sum = (long) CUSTOMERS * (CUSTOMERS + 1) / 2;
    try (Engine engine =
        Engine.start(node -> node.workflow(InvoiceRun.class, () -> new InvoiceRun(watched)))) {
      WorkflowHandle<InvoiceTotal> october =
          engine
              .workflows()
              .start(InvoiceRun::run, "october", new InvoiceMonth("october", customers));

      assertThat(october.result(Engine.SOON)).isEqualTo(new InvoiceTotal(CUSTOMERS, sum));
      assertThat(ledger.invoices()).isEqualTo(CUSTOMERS);
      assertThat(ledger.posted("october")).contains(sum);
      assertThat(most.get()).isBetween(1, InvoiceRun.AT_A_TIME);
    }
  }
}
