package dev.tenure.examples.welcome;

/** The service that looks after new customers. */
public interface Desk {
  /** A new code. */
  String issueVoucher(String name);

  void mail(String address, String text);
}
