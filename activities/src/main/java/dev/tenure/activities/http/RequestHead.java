package dev.tenure.activities.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The lines of a request before its body, as the JDK's client sends them to a proxy. */
record RequestHead(String method, String uri, List<String> fields) {
  static final int BYTES_MAX = 64 << 10;

  private static final String END = "\r\n\r\n";
  private static final String FOR_PROXIES = "proxy-";

  /** Reads up to the empty line, and no byte of the body. */
  static RequestHead read(InputStream in) throws IOException {
    StringBuilder text = new StringBuilder(512);
    while (text.length() < END.length() || text.indexOf(END, text.length() - END.length()) < 0) {
      int next = in.read();
      if (next < 0) throw new EOFException("The request ended in its head.");
      if (text.length() == BYTES_MAX) throw new IOException("The head of the request is too long.");
      text.append((char) next);
    }
    List<String> lines = List.of(text.substring(0, text.length() - END.length()).split("\r\n"));
    String[] first = lines.getFirst().split(" ");
    if (first.length != 3) throw new IOException("The first line of the request is malformed.");
    return new RequestHead(first[0], first[1], lines.subList(1, lines.size()));
  }

  boolean has(String name, String value) {
    return fields.stream().anyMatch(field -> field.equalsIgnoreCase(name + ": " + value));
  }

  /**
   * As it is sent to a server and not to a proxy: with a path instead of the whole URL, and without
   * what is for proxies only.
   *
   * @param origin what the URL begins with
   */
  byte[] forServer(String origin) throws IOException {
    if (!uri.startsWith(origin + "/"))
      throw new IOException("The request is for another server than the one that was checked.");
    StringBuilder text = new StringBuilder(512);
    text.append(method).append(' ').append(uri, origin.length(), uri.length());
    text.append(" HTTP/1.1\r\n");
    for (String field : fields)
      if (!field.regionMatches(true, 0, FOR_PROXIES, 0, FOR_PROXIES.length()))
        text.append(field).append("\r\n");
    return text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
  }
}
