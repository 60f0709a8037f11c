package dev.tenure.persistence.archive;

import java.util.Optional;

/**
 * Who asks an S3-compatible store. Neither the key nor the token is ever printed.
 *
 * @param sessionToken of credentials that hold for a while
 */
record S3Credentials(String accessKey, String secretKey, Optional<String> sessionToken) {
  @Override
  public String toString() {
    return accessKey;
  }
}
