package dev.tenure.examples.welcome;

/** Whoever looks after new customers. */
public interface Desk {
  /** A code that nobody had before. */
  String issueVoucher(String name);

  void mail(String address, String text);
}
