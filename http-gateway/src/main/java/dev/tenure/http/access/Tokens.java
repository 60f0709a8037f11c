package dev.tenure.http.access;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import java.io.IOException;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Signed tokens (JWT) of one issuer, for one audience, by one algorithm: what a token says about
 * its own algorithm is compared, never followed.
 */
public final class Tokens {
  /** With a public key only: the node, which checks tokens, must not be able to make one. */
  public static final Set<String> ALGORITHMS =
      Set.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");

  /** In front of the words of the claim {@code scope}, among those of other services. */
  public static final String SCOPE_PREFIX = "tenure:";

  /** The claim with the queues from which its holder may take tasks; from all without it. */
  public static final String QUEUES = "tenure_queues";

  private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();

  private Tokens(JWKSet keys, String algorithm, String issuer, String audience) {
    processor.setJWSKeySelector(
        new JWSVerificationKeySelector<>(
            JWSAlgorithm.parse(algorithm), new ImmutableJWKSet<>(keys)));
    DefaultJWTClaimsVerifier<SecurityContext> claims =
        new DefaultJWTClaimsVerifier<>(
            audience,
            new JWTClaimsSet.Builder().issuer(issuer).build(),
            Set.of("sub", "exp", "scope"));
    processor.setJWTClaimsSetVerifier(claims);
  }

  /**
   * @param keys a file with a set of public keys (JWKS)
   * @param algorithm one of {@link #ALGORITHMS}
   */
  public static Tokens of(Path keys, String algorithm, String issuer, String audience) {
    if (!ALGORITHMS.contains(algorithm)) {
      throw new AccessError("The algorithm of tokens is one of " + ALGORITHMS + ".");
    }
    try {
      return new Tokens(JWKSet.load(keys.toFile()), algorithm, issuer, audience);
    } catch (IOException | ParseException e) {
      throw new AccessError("The keys of tokens in %s cannot be read.".formatted(keys), e);
    }
  }

  /** The caller of the token; empty when the token is not valid, for any reason. */
  Optional<Caller> find(String token) {
    try {
      JWTClaimsSet claims = processor.process(token, null);
      Set<Scope> scopes = new HashSet<>();
      for (String word : claims.getStringClaim("scope").split(" ")) {
        if (word.startsWith(SCOPE_PREFIX)) {
          Scope.parse(word.substring(SCOPE_PREFIX.length())).ifPresent(scopes::add);
        }
      }
      // A claim that is no list of texts makes the token invalid: it was meant to limit something.
      Optional<Set<String>> queues =
          Optional.ofNullable(claims.getStringListClaim(QUEUES)).map(Set::copyOf);
      return Optional.of(new Caller(claims.getSubject(), scopes, queues));
    } catch (ParseException | BadJOSEException | JOSEException | RuntimeException e) {
      // Any client can send anything: the reason is neither answered nor logged.
      return Optional.empty();
    }
  }
}
