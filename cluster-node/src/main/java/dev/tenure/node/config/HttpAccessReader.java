package dev.tenure.node.config;

import dev.tenure.http.access.Tokens;
import dev.tenure.node.config.HttpAccess.Keystore;
import dev.tenure.node.config.HttpAccess.SignedTokens;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The settings of {@code tenure.http} that say which callers may use the API. */
final class HttpAccessReader {
  private static final String OPEN = "open";
  private static final String GUARDED = "guarded";
  private static final String TOKENS = "tenure.http.tokens.";
  private static final Duration READ_MIN = Duration.ofMillis(100);
  private static final Duration READ_MAX = Duration.ofHours(1);

  private final SettingReader reader;

  HttpAccessReader(SettingReader reader) {
    this.reader = reader;
  }

  HttpAccess read() {
    return new HttpAccess(
        reader.choice("tenure.http.access", Set.of(OPEN, GUARDED)).equals(OPEN),
        file("tenure.http.api-keys-file"),
        tokens(),
        reader.duration("tenure.http.credentials-read-every", READ_MIN, READ_MAX),
        file("tenure.http.tls.keystore-file")
            .map(
                keystore ->
                    new Keystore(keystore, reader.secret("tenure.http.tls.keystore-password"))));
  }

  private Optional<Path> file(String key) {
    Optional<Path> file = reader.text(key).map(Path::of);
    if (file.isPresent() && !Files.isReadable(file.get())) {
      reader.wrong(key, "a readable file", "");
    }
    return file;
  }

  /** All four or none: a check that is left out would let other issuers' tokens in. */
  private Optional<SignedTokens> tokens() {
    Optional<Path> keys = file(TOKENS + "keys-file");
    if (keys.isEmpty()) {
      for (String other : List.of("issuer", "audience")) {
        if (reader.text(TOKENS + other).isPresent()) {
          reader.problem(TOKENS + "keys-file", "is not set, although " + TOKENS + other + " is");
        }
      }
      return Optional.empty();
    }
    return Optional.of(
        new SignedTokens(
            keys.get(),
            reader.choice(TOKENS + "algorithm", Tokens.ALGORITHMS),
            reader.required(TOKENS + "issuer", "the issuer that the tokens name"),
            reader.required(TOKENS + "audience", "the audience that the tokens name")));
  }
}
