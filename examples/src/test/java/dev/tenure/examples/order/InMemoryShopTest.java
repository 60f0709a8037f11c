package dev.tenure.examples.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tenure.workflow.WorkflowFailure;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What steps rely on when they run again: the same key does nothing new. */
class InMemoryShopTest {
  private static final List<PlaceOrder.Line> TWO_BOOKS =
      List.of(new PlaceOrder.Line("book", 2, 1_500));

  private final InMemoryShop shop = new InMemoryShop(Map.of("book", 3), Map.of("ada", 5_000L));

  @Test
  void aRepeatedCallDoesNothingNew() throws ShopException {
    String reservation = shop.reserve("one", TWO_BOOKS);
    assertThat(shop.reserve("one", TWO_BOOKS)).isEqualTo(reservation);
    assertThat(shop.inStock("book")).isEqualTo(1);

    String payment = shop.charge("one", "ada", 3_000);
    assertThat(shop.charge("one", "ada", 3_000)).isEqualTo(payment);
    assertThat(shop.balance("ada")).isEqualTo(2_000);
  }

  @Test
  void undoingTwiceUndoesOnce() throws ShopException {
    String reservation = shop.reserve("one", TWO_BOOKS);
    String payment = shop.charge("one", "ada", 3_000);
    shop.refund(payment);
    shop.refund(payment);
    shop.release(reservation);
    shop.release(reservation);
    assertThat(shop.balance("ada")).isEqualTo(5_000);
    assertThat(shop.inStock("book")).isEqualTo(3);
  }

  @Test
  void whatCannotBeDoneChangesNothing() throws ShopException {
    shop.reserve("one", TWO_BOOKS);
    assertThatExceptionOfType(ShopException.class)
        .isThrownBy(() -> shop.reserve("two", TWO_BOOKS))
        .withMessageContaining("Only 1 left of book");
    assertThatExceptionOfType(CardDeclined.class)
        .isThrownBy(() -> shop.charge("two", "ada", 9_999));
    assertThatExceptionOfType(WorkflowFailure.class)
        .isThrownBy(() -> shop.ship("two", new Parcel("reservation-two", "Atlantis")));
    assertThat(shop.inStock("book")).isEqualTo(1);
    assertThat(shop.balance("ada")).isEqualTo(5_000);
  }
}
