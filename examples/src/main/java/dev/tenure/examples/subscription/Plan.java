package dev.tenure.examples.subscription;

/** What one can subscribe to, and what a period of it costs. */
public enum Plan {
  SMALL(500),
  LARGE(2_000);

  private final long cents;

  Plan(long cents) {
    this.cents = cents;
  }

  public long cents() {
    return cents;
  }
}
