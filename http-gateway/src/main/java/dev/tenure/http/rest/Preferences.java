package dev.tenure.http.rest;

import dev.tenure.http.api.Input;
import dev.tenure.http.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a client would like ({@code Prefer}, RFC 7240); an unknown preference is no error. */
record Preferences(List<String> all) {
  static Preferences of(List<String> headers) {
    List<String> all = new ArrayList<>();
    for (String header : headers) {
      for (String preference : header.split("[,;]")) {
        all.add(preference.strip().toLowerCase(Locale.ROOT));
      }
    }
    return new Preferences(all);
  }

  /** The seconds, when there are some; whether they can be is for the input's schema to say. */
  Optional<Json> wait(Input input) {
    return all.stream()
        .filter(preference -> preference.startsWith("wait="))
        .findFirst()
        .map(preference -> input.schema().ofText(preference.substring("wait=".length())));
  }

  boolean strict() {
    return all.contains("handling=strict");
  }
}
