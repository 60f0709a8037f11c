package dev.tenure.activities.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A key that the JDK's own keytool made for one host.
 *
 * @param server for a server with that key
 * @param client for clients that trust it
 */
record TestTls(SSLContext server, SSLContext client) {
  private static final String PASSWORD = "a-word-for-tests";
  private static final long KEYTOOL_SECONDS_MAX = 60;

  static TestTls of(String host, Path folder)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path file = folder.resolve(host + ".p12");
    Path said = folder.resolve(host + ".log");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-alias",
                "server",
                "-dname",
                "CN=a test",
                "-ext",
                "san=dns:" + host,
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    assertThat(keytool.waitFor(KEYTOOL_SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
    assertThat(keytool.exitValue()).as(Files.readString(said)).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, PASSWORD.toCharArray());
    SSLContext server = SSLContext.getInstance("TLS");
    server.init(own.getKeyManagers(), null, null);

    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    trusted.setCertificateEntry("server", keys.getCertificate("server"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext client = SSLContext.getInstance("TLS");
    client.init(null, trust.getTrustManagers(), null);
    return new TestTls(server, client);
  }
}
