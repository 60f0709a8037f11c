package dev.tenure.http.access;

import dev.tenure.http.fault.ApiFault;
import dev.tenure.http.fault.ErrorCode;
import java.util.Optional;

/** Which callers may use the API. */
public sealed interface Access permits Access.Open, Access.Guarded, Rotating {
  /** The caller that sent the request; throws when its credential is not known. */
  Caller caller(Optional<String> authorization);

  /** Every caller may do everything: for a developer's own machine. */
  record Open() implements Access {
    @Override
    public Caller caller(Optional<String> authorization) {
      return Caller.DEVELOPER;
    }
  }

  /** Only holders of a key or of a token. */
  record Guarded(ApiKeys keys, Optional<Tokens> tokens) implements Access {
    private static final String SCHEME = "bearer ";
    private static final int CREDENTIAL_CHARS_MAX = 8_192;

    @Override
    public Caller caller(Optional<String> authorization) {
      String header =
          authorization.orElseThrow(
              () -> refused("Send the header Authorization: Bearer, and your key or token."));
      boolean bearer = header.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
      if (!bearer || header.length() > CREDENTIAL_CHARS_MAX) {
        throw refused("The header Authorization has to be Bearer, and your key or token.");
      }
      String credential = header.substring(SCHEME.length()).strip();
      // One message for everything that is wrong with it: no hint for an attacker who guesses.
      return keys.find(credential)
          .or(() -> tokens.flatMap(known -> known.find(credential)))
          .orElseThrow(() -> refused("The credential is not known, or not valid any more."));
    }

    private static ApiFault refused(String why) {
      return ApiFault.of(ErrorCode.UNAUTHORIZED, why);
    }
  }
}
