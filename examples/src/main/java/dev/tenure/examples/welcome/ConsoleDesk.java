package dev.tenure.examples.welcome;

import java.io.PrintStream;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Locale;

/** Prints the mails instead of sending them. */
public final class ConsoleDesk implements Desk {
  private static final int CODE_BYTES = 4;

  private final SecureRandom random = new SecureRandom();
  private final PrintStream out;

  public ConsoleDesk(PrintStream out) {
    this.out = out;
  }

  @Override
  public String issueVoucher(String name) {
    byte[] code = new byte[CODE_BYTES];
    random.nextBytes(code);
    return name.toUpperCase(Locale.ROOT) + "-" + HexFormat.of().formatHex(code);
  }

  @Override
  public void mail(String address, String text) {
    out.printf("mail to %s: %s%n", address, text);
  }
}
