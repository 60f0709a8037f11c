package dev.tenure.node.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Who may use the HTTP API, and how it is kept from being read on the way.
 *
 * @param open everybody may do everything: for a developer's own machine
 */
public record HttpAccess(
    boolean open, Optional<Path> apiKeys, Optional<SignedTokens> tokens, Optional<Keystore> tls) {

  /** Whose signed tokens are accepted. */
  public record SignedTokens(Path keys, String algorithm, String issuer, String audience) {}

  public record Keystore(Path keystore, Optional<Secret> password) {}
}
