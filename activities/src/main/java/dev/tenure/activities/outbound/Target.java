package dev.tenure.activities.outbound;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where a URL leads.
 *
 * @param uri in ASCII and without a fragment
 * @param host in lower case, without the dot that may end a name, or the brackets of an address
 */
public record Target(URI uri, boolean isSecure, String host, int port) {
  public static final int URL_CHARS_MAX = 8_192;

  private static final int PORT_MAX = 65_535;

  /** What operating systems take for an IPv4 address: its last part is a number. */
  private static final Pattern LIKE_IPV4 = Pattern.compile("(.*\\.)?([0-9]+|0x[0-9a-f]*)");

  private static final Pattern IPV4 =
      Pattern.compile("(0|[1-9][0-9]{0,2})(\\.(0|[1-9][0-9]{0,2})){3}");

  /** Throws {@link OutboundRefusedException} for what is no URL that can be checked. */
  public static Target of(String url) {
    if (url == null || url.length() > URL_CHARS_MAX)
      throw refused("The URL is missing or has more than %d characters.".formatted(URL_CHARS_MAX));
    URI uri;
    try {
      uri = new URI(url);
    } catch (URISyntaxException e) {
      // Its text stays out of the message: it can hold anything.
      throw refused("The URL is malformed: %s at index %d.".formatted(e.getReason(), e.getIndex()));
    }
    return of(uri);
  }

  private static Target of(URI uri) {
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https"))
      throw refused("The URL's scheme is \"%s\": use http or https.".formatted(scheme));
    if (uri.getRawUserInfo() != null)
      throw refused("The URL has a user in front of its host: send credentials as a header.");
    if (uri.getHost() == null)
      throw refused("The URL has no host, or one that is no valid name or address.");
    if (uri.getHost().contains("%")) throw refused("The URL's address has a zone: leave it out.");
    String host = hostOf(uri);
    if (LIKE_IPV4.matcher(host).matches() && !IPV4.matcher(host).matches())
      throw refused("The URL's host is a number: write the address as four decimal parts.");
    boolean secure = scheme.equals("https");
    int port = uri.getPort() >= 0 ? uri.getPort() : secure ? 443 : 80;
    if (port < 1 || port > PORT_MAX)
      throw refused("The URL's port is %d: use 1 to %d.".formatted(port, PORT_MAX));
    return new Target(plain(uri, scheme), secure, host, port);
  }

  /** Without its fragment, which is nobody's business but the caller's. */
  private static URI plain(URI uri, String scheme) {
    StringBuilder text = new StringBuilder(scheme).append("://").append(uri.getRawAuthority());
    String path = uri.getRawPath();
    text.append(path == null || path.isEmpty() ? "/" : path);
    if (uri.getRawQuery() != null) text.append('?').append(uri.getRawQuery());
    return URI.create(URI.create(text.toString()).toASCIIString());
  }

  private static String hostOf(URI uri) {
    String host = uri.getHost().toLowerCase(Locale.ROOT);
    if (host.startsWith("[")) return host.substring(1, host.length() - 1);
    return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
  }

  private static OutboundRefusedException refused(String why) {
    return new OutboundRefusedException(why);
  }

  /** The address, when the host is one and no name. */
  Optional<InetAddress> literal() {
    boolean isAddress = host.contains(":") || LIKE_IPV4.matcher(host).matches();
    try {
      return isAddress ? Optional.of(InetAddress.ofLiteral(host)) : Optional.empty();
    } catch (IllegalArgumentException e) {
      throw refused("The URL's host is no valid address.");
    }
  }

  /** Scheme, host and port. */
  public String origin() {
    String shown = host.contains(":") ? "[" + host + "]" : host;
    return "%s://%s:%d".formatted(isSecure ? "https" : "http", shown, port);
  }

  /** For people: without the query, which often holds what not everybody is to read. */
  @Override
  public String toString() {
    return "%s://%s%s".formatted(uri.getScheme(), uri.getRawAuthority(), uri.getRawPath());
  }
}
