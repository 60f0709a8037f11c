package dev.tenure.http.describe;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** A page that shows the API's description to people; it needs nothing from outside. */
public final class DocsPage {
  private DocsPage() {}

  public static byte[] html() {
    try (InputStream page = DocsPage.class.getResourceAsStream("docs.html")) {
      if (page == null) throw new IllegalStateException("docs.html is not in this jar");
      return page.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("reading docs.html", e);
    }
  }
}
