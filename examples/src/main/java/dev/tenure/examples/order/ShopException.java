package dev.tenure.examples.order;

/** The shop says no. */
public class ShopException extends Exception {
  private static final long serialVersionUID = 1L;

  public ShopException(String message) {
    super(message);
  }
}
