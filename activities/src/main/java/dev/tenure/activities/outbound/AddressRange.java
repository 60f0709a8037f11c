package dev.tenure.activities.outbound;

import java.net.InetAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The addresses that begin with the same bits, as {@code 10.0.0.0/8} and {@code fd00::/8} say. */
final class AddressRange {
  /** All four parts of an IPv4 address: shorter forms mean something else than people expect. */
  private static final String IPV4 = "[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}";

  private static final Pattern FORM =
      Pattern.compile("(" + IPV4 + "|[0-9a-fA-F:]*:[0-9a-fA-F:.]*)(?:/([0-9]{1,3}))?");

  private final byte[] network;
  private final int bits;

  private AddressRange(byte[] network, int bits) {
    this.network = network;
    this.bits = bits;
  }

  /** Whether the text is meant as an address or a range, and not as a name. */
  static boolean isMeant(String text) {
    return text.contains("/") || text.contains(":") || text.matches(IPV4);
  }

  /** Of one address, or of a range. */
  static AddressRange of(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches())
      throw invalid(text, "it is neither an address nor a range such as 10.0.0.0/8");
    byte[] network = bytes(text, form.group(1));
    int bits = form.group(2) == null ? network.length * 8 : Integer.parseInt(form.group(2));
    if (bits > network.length * 8)
      throw invalid(text, "its address has %d bits only".formatted(network.length * 8));
    for (int bit = bits; bit < network.length * 8; bit++)
      if ((network[bit / 8] & mask(bit)) != 0)
        throw invalid(text, "its address has bits behind the first %d".formatted(bits));
    return new AddressRange(network, bits);
  }

  private static byte[] bytes(String text, String address) {
    try {
      return InetAddress.ofLiteral(address).getAddress();
    } catch (IllegalArgumentException e) {
      throw invalid(text, "it has no valid address");
    }
  }

  private static IllegalArgumentException invalid(String text, String why) {
    return new IllegalArgumentException("\"%s\" cannot be allowed: %s.".formatted(text, why));
  }

  boolean contains(byte[] address) {
    if (address.length != network.length) return false;
    for (int bit = 0; bit < bits; bit++)
      if (((address[bit / 8] ^ network[bit / 8]) & mask(bit)) != 0) return false;
    return true;
  }

  private static int mask(int bit) {
    return 0x80 >> (bit % 8);
  }
}
