package dev.tenure.http.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.util.Collections;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** The server's own key and certificate. */
public final class Tls {
  private Tls() {}

  /** The file cannot be used; the message does not repeat its password. */
  public static final class KeystoreError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    KeystoreError(Path file, Exception cause) {
      super("The keystore %s cannot be used: %s".formatted(file, cause.getMessage()), cause);
    }
  }

  /** From a file in the format PKCS#12. */
  public static SSLContext of(Path keystore, String password) {
    try (InputStream file = Files.newInputStream(keystore)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(file, password.toCharArray());
      if (!hasKey(keys)) throw new KeyStoreException("there is no private key in it");
      KeyManagerFactory managers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(keys, password.toCharArray());
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), null, null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new KeystoreError(keystore, e);
    }
  }

  /** Without one it would start, and refuse every client. */
  private static boolean hasKey(KeyStore keys) throws KeyStoreException {
    for (String alias : Collections.list(keys.aliases())) {
      if (keys.isKeyEntry(alias)) return true;
    }
    return false;
  }
}
