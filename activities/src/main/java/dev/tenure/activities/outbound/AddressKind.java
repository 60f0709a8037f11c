package dev.tenure.activities.outbound;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;

/** What an address is for, as far as it matters to what may be connected to. */
enum AddressKind {
  PUBLIC("a public address", Reach.ANYWHERE),
  LOOPBACK("an address of this machine", Reach.INSIDE),
  PRIVATE("an address of a private network", Reach.INSIDE),
  SHARED("an address of a provider's shared network", Reach.INSIDE),
  LINK_LOCAL("a link-local address", Reach.NEVER_BY_NAME),
  METADATA("an address of a cloud's metadata", Reach.NEVER_BY_NAME),
  UNSPECIFIED("the unspecified address", Reach.NEVER_BY_NAME),
  MULTICAST("a multicast or broadcast address", Reach.NEVER_BY_NAME),
  TRANSLATED("an address that stands for another one", Reach.NEVER_BY_NAME),
  RESERVED("a reserved address", Reach.NEVER_BY_NAME);

  private enum Reach {
    ANYWHERE,
    /** It may belong to a host that an operator allowed by name. */
    INSIDE,
    /** Only an operator who names the address itself can mean it. */
    NEVER_BY_NAME
  }

  private record Row(AddressRange range, AddressKind kind) {
    Row(String range, AddressKind kind) {
      this(AddressRange.of(range), kind);
    }
  }

  /** The first row that contains an address counts; one in no row is public. */
  private static final List<Row> IPV4 =
      List.of(
          // The platform addresses of Azure, of Alibaba and of Oracle lie in ranges of other kinds.
          new Row("168.63.129.16", METADATA),
          new Row("100.100.100.200", METADATA),
          new Row("192.0.0.192", METADATA),
          new Row("0.0.0.0/8", UNSPECIFIED),
          new Row("10.0.0.0/8", PRIVATE),
          new Row("100.64.0.0/10", SHARED),
          new Row("127.0.0.0/8", LOOPBACK),
          new Row("169.254.0.0/16", LINK_LOCAL),
          new Row("172.16.0.0/12", PRIVATE),
          new Row("192.0.0.0/24", RESERVED),
          new Row("192.0.2.0/24", RESERVED),
          new Row("192.88.99.0/24", TRANSLATED),
          new Row("192.168.0.0/16", PRIVATE),
          new Row("198.18.0.0/15", RESERVED),
          new Row("198.51.100.0/24", RESERVED),
          new Row("203.0.113.0/24", RESERVED),
          new Row("224.0.0.0/4", MULTICAST),
          new Row("255.255.255.255", MULTICAST),
          new Row("240.0.0.0/4", RESERVED));

  /** The first row that contains an address counts; one in no row is reserved. */
  private static final List<Row> IPV6 =
      List.of(
          new Row("fd00:ec2::254", METADATA),
          new Row("fd20:ce::254", METADATA),
          new Row("::", UNSPECIFIED),
          new Row("::1", LOOPBACK),
          // IPv4 addresses that are written as IPv6 ones. Mapped ones are in no row, so reserved:
          // Java itself makes IPv4 addresses of them.
          new Row("::/96", TRANSLATED),
          new Row("64:ff9b:1::/48", TRANSLATED),
          // Teredo and 6to4 hide an IPv4 address in the middle of an IPv6 one.
          new Row("2001::/32", TRANSLATED),
          new Row("2002::/16", TRANSLATED),
          new Row("2001::/23", RESERVED),
          new Row("2001:db8::/32", RESERVED),
          new Row("3fff::/20", RESERVED),
          new Row("2000::/3", PUBLIC),
          new Row("fc00::/7", PRIVATE),
          new Row("fe80::/10", LINK_LOCAL),
          new Row("fec0::/10", PRIVATE),
          new Row("ff00::/8", MULTICAST));

  /** The well-known prefix of NAT64: a network without IPv4 reaches all IPv4 hosts by it. */
  private static final AddressRange NAT64 = AddressRange.of("64:ff9b::/96");

  final String words;
  private final Reach reach;

  AddressKind(String words, Reach reach) {
    this.words = words;
    this.reach = reach;
  }

  static AddressKind of(InetAddress address) {
    return of(address.getAddress());
  }

  private static AddressKind of(byte[] address) {
    if (address.length == 4) return first(IPV4, address, PUBLIC);
    if (!NAT64.contains(address)) return first(IPV6, address, RESERVED);
    return of(Arrays.copyOfRange(address, 12, 16)) == PUBLIC ? PUBLIC : TRANSLATED;
  }

  private static AddressKind first(List<Row> rows, byte[] address, AddressKind otherwise) {
    for (Row row : rows) if (row.range.contains(address)) return row.kind;
    return otherwise;
  }

  /** Whether a host that is allowed by its name may have such an address. */
  boolean mayHaveAllowedName() {
    return reach != Reach.NEVER_BY_NAME;
  }
}
