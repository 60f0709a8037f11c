package dev.tenure.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An authority, and a server's key that it signed for 127.0.0.1, made by the JDK's own keytool.
 *
 * @param authority its certificate, as PEM
 * @param keystore the server's key, as PKCS#12
 */
public record Certificates(Path authority, Path keystore) {
  public static final String PASSWORD = "the-keystores-secret-word";

  private static final long KEYTOOL_SECONDS_MAX = 60;

  public static Certificates make(Path folder) throws IOException, InterruptedException {
    Path keystore = folder.resolve("server.p12");
    Path authority = folder.resolve("ca.pem");
    List<String> pair = List.of("-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1");
    keytool(keystore, pair, "-alias", "ca", "-dname", "CN=an authority", "-ext", "bc:c");
    keytool(
        keystore,
        pair,
        "-alias",
        "server",
        "-signer",
        "ca",
        "-dname",
        "CN=a node",
        "-ext",
        "san=ip:127.0.0.1");
    keytool(keystore, List.of("-exportcert", "-rfc"), "-alias", "ca", "-file", "" + authority);
    // A server that had both keys could show the authority's certificate as its own.
    keytool(keystore, List.of("-delete"), "-alias", "ca");
    return new Certificates(authority, keystore);
  }

  /** A store without a key: only somebody's certificate. */
  static Path keyless(Path authority, Path keystore) throws IOException, InterruptedException {
    keytool(keystore, List.of("-importcert", "-noprompt"), "-alias", "ca", "-file", "" + authority);
    return keystore;
  }

  private static void keytool(Path keystore, List<String> order, String... more)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(order);
    command.addAll(List.of("-keystore", keystore.toString(), "-storepass", PASSWORD));
    command.addAll(List.of(more));
    Path said = Files.createTempFile(keystore.getParent(), "keytool", ".log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    assertThat(process.waitFor(KEYTOOL_SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(said)).isZero();
  }
}
