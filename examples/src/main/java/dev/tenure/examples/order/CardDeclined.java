package dev.tenure.examples.order;

/** The customer cannot pay; trying again would not help. */
public final class CardDeclined extends ShopException {
  private static final long serialVersionUID = 1L;

  public CardDeclined(String message) {
    super(message);
  }
}
