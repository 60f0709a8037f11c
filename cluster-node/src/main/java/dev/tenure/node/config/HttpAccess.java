package dev.tenure.node.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Which callers may use the HTTP API, and whether it is encrypted.
 *
 * @param open every caller may do everything: for a developer's own machine
 * @param readEvery how often it is looked whether the files have changed
 */
public record HttpAccess(
    boolean open,
    Optional<Path> apiKeys,
    Optional<SignedTokens> tokens,
    Duration readEvery,
    Optional<Keystore> tls) {

  /** Whose signed tokens are accepted. */
  public record SignedTokens(Path keys, String algorithm, String issuer, String audience) {}

  public record Keystore(Path keystore, Optional<Secret> password) {}

  /** Warnings for an operator who lets other machines in. */
  Optional<String> remark(Endpoint http) {
    String host = http.host();
    if (host.equals("localhost") || host.equals("::1") || host.startsWith("127.")) {
      return Optional.empty();
    }
    if (open) {
      return Optional.of(
          "tenure.http.access is open, and %s can be reached from other machines: every client there may do everything"
              .formatted(http));
    }
    return tls.isPresent()
        ? Optional.empty()
        : Optional.of(
            "tenure.http.tls is not set: others on the network can read keys and payloads on the way to %s, unless a proxy in front of it encrypts"
                .formatted(http));
  }
}
