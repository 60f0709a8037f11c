package dev.tenure.http.describe;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** A page that shows the API's description to people; it needs nothing from outside. */
public final class DocsPage {
  private static final byte[] HTML = read();

  /**
   * People may type a credential into the page. So the browser runs the page's own script only,
   * lets it call its own server only, and shows it in no frame of another page.
   */
  public static final String POLICY =
      "default-src 'none'; connect-src 'self'; script-src 'sha256-%s'; style-src 'sha256-%s'; "
              .formatted(hash("script"), hash("style"))
          + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private DocsPage() {}

  public static byte[] html() {
    return HTML.clone();
  }

  private static byte[] read() {
    try (InputStream page = DocsPage.class.getResourceAsStream("docs.html")) {
      if (page == null) throw new IllegalStateException("docs.html is not in this jar");
      return page.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("reading docs.html", e);
    }
  }

  /** Of what stands in the page's one element of that name, as a browser takes it. */
  private static String hash(String element) {
    String page = new String(HTML, StandardCharsets.UTF_8);
    int start = page.indexOf("<%s>".formatted(element)) + element.length() + 2;
    int end = page.indexOf("</%s>".formatted(element), start);
    try {
      byte[] text = page.substring(start, end).getBytes(StandardCharsets.UTF_8);
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
