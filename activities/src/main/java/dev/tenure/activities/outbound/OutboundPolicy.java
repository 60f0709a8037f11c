package dev.tenure.activities.outbound;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which addresses may be connected to. By default these are the public ones. An operator allows
 * others by address ({@code "10.1.0.0/16"}), by name ({@code "payments.internal"}) or by the end of
 * names ({@code "*.svc.cluster.local"}).
 */
public final class OutboundPolicy {
  /** How many addresses of one host are tried. */
  public static final int ADDRESSES_MAX = 4;

  private enum Base {
    PUBLIC,
    NOTHING
  }

  /** Names that lead to the credentials of the machine, in the clouds that have such a service. */
  private static final Set<String> METADATA_NAMES =
      Set.of(
          "metadata",
          "metadata.google.internal",
          "metadata.goog",
          "metadata.azure.internal",
          "instance-data",
          "instance-data.ec2.internal");

  private static final Pattern NAME =
      Pattern.compile("(\\*\\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*");

  private final Base base;
  private final List<AddressRange> ranges;

  /** Names, and ends of names that begin with a dot. */
  private final List<String> names;

  private OutboundPolicy(Base base, List<AddressRange> ranges, List<String> names) {
    this.base = base;
    this.ranges = List.copyOf(ranges);
    this.names = List.copyOf(names);
  }

  /** Every public address, and nothing inside of the network that the node is in. */
  public static OutboundPolicy publicOnly() {
    return new OutboundPolicy(Base.PUBLIC, List.of(), List.of());
  }

  /** No address but those that are allowed: for nodes that call few known systems. */
  public static OutboundPolicy nothing() {
    return new OutboundPolicy(Base.NOTHING, List.of(), List.of());
  }

  /**
   * Allows addresses, ranges of addresses, names, and all names that end alike. A host that is
   * allowed by name may have a public, private or loopback address. Link-local, multicast and
   * reserved addresses, and those of a cloud's metadata, have to be allowed by address: a name
   * leads wherever its owner wants.
   */
  public OutboundPolicy allowing(String... hosts) {
    List<AddressRange> allRanges = new ArrayList<>(ranges);
    List<String> allNames = new ArrayList<>(names);
    for (String host : hosts)
      if (AddressRange.isMeant(host)) allRanges.add(AddressRange.of(host));
      else allNames.add(name(host));
    return new OutboundPolicy(base, allRanges, allNames);
  }

  private static String name(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    if (!NAME.matcher(lower).matches())
      throw new IllegalArgumentException(
          "\"%s\" cannot be allowed: use a host, *.example.org, an address or a range such as 10.0.0.0/8."
              .formatted(host));
    return lower.startsWith("*.") ? lower.substring(1) : lower;
  }

  /**
   * The addresses of the target that may be connected to, at most {@link #ADDRESSES_MAX}. Nothing
   * else than these may be connected to afterwards: a name can lead elsewhere a moment later.
   */
  public List<InetAddress> permitted(Target target, Resolver resolver) throws UnknownHostException {
    if (METADATA_NAMES.contains(target.host()) && !isAllowed(target.host()))
      throw refused(target, "it is the name of a cloud's metadata");
    Optional<InetAddress> literal = target.literal();
    List<InetAddress> found =
        literal.isPresent() ? List.of(literal.get()) : resolver.addresses(target.host());
    if (found.isEmpty()) throw new UnknownHostException(target.host());
    List<InetAddress> permitted =
        found.stream()
            .filter(address -> isPermitted(target.host(), address))
            .limit(ADDRESSES_MAX)
            .toList();
    if (permitted.isEmpty()) {
      InetAddress first = found.getFirst();
      throw refused(
          target, "%s is %s".formatted(first.getHostAddress(), AddressKind.of(first).words));
    }
    return permitted;
  }

  private boolean isPermitted(String host, InetAddress address) {
    if (ranges.stream().anyMatch(range -> range.contains(address.getAddress()))) return true;
    AddressKind kind = AddressKind.of(address);
    return isAllowed(host)
        ? kind.mayHaveAllowedName()
        : base == Base.PUBLIC && kind == AddressKind.PUBLIC;
  }

  private boolean isAllowed(String host) {
    return names.stream()
        .anyMatch(name -> name.startsWith(".") ? host.endsWith(name) : host.equals(name));
  }

  private OutboundRefusedException refused(Target target, String why) {
    String advice =
        base == Base.NOTHING
            ? "The policy allows only what it names."
            : "The policy has to allow it by name or address.";
    return new OutboundRefusedException(
        "%s must not be connected to: %s. %s".formatted(target.host(), why, advice));
  }
}
