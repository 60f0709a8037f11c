package dev.tenure.examples.payment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.examples.payment.Transfer.Bank;
import dev.tenure.examples.payment.Transfer.Order;
import dev.tenure.testkit.TenureExtension;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Money is sent once, whatever the line to the bank does. */
class TransferTest {
  private static final Order ORDER = new Order("17", "DE-1", 5_000);
  private static final Ledger BANK = new Ledger();

  @RegisterExtension
  static final TenureExtension TENURE =
      TenureExtension.with(Transfer.class).activity(Transfer.sending(BANK));

  /** A bank whose line fails as the test says. */
  private static final class Ledger implements Bank {
    private final Map<String, String> transfers = new HashMap<>();
    private final List<IOException> before = new ArrayList<>();
    private final List<IOException> after = new ArrayList<>();

    @Override
    public synchronized String send(String reference, Order order) throws IOException {
      if (!before.isEmpty()) throw before.removeFirst();
      assertThat(transfers).as("it was not sent before").doesNotContainKey(reference);
      transfers.put(reference, "transfer-" + order.number());
      if (!after.isEmpty()) throw after.removeFirst();
      return transfers.get(reference);
    }

    @Override
    public synchronized Optional<String> find(String reference) {
      return Optional.ofNullable(transfers.get(reference));
    }
  }

  @BeforeEach
  void empty() {
    BANK.transfers.clear();
  }

  private static String transfer() {
    return TENURE.engine().workflows().start(Transfer::run, "transfer-17", ORDER).result();
  }

  @Test
  void moneyIsSentOnce() {
    assertThat(transfer()).isEqualTo("transfer-17");
  }

  @Test
  void aLostAnswerIsLookedUp() {
    BANK.after.add(new IOException("connection reset"));
    assertThat(transfer()).isEqualTo("transfer-17");
  }

  @Test
  void aBankThatCannotBeReachedIsTriedAgain() {
    BANK.before.add(new ConnectException("refused"));
    BANK.before.add(new IOException("no route"));
    assertThat(transfer()).isEqualTo("transfer-17");
  }
}
