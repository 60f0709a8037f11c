package dev.tenure.node.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tenure.client.TenureClient;
import dev.tenure.client.TenureException;
import dev.tenure.client.WorkflowHandle;
import dev.tenure.http.gateway.Tls;
import dev.tenure.node.AnyNode;
import dev.tenure.node.Main;
import dev.tenure.node.TenureNode;
import dev.tenure.node.command.remote.Chest;
import dev.tenure.persistence.storage.TestDatabase;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A node that is reached over TLS: by those who trust its authority, and by nobody else. */
class TlsTest {

  @TempDir static Path folder;
  private static Certificates ours;
  private static Certificates others;
  private static Path key;
  private static TestDatabase database;
  private static TenureNode node;

  @BeforeAll
  static void start() throws Exception {
    ours = Certificates.make(Files.createDirectory(folder.resolve("ours")));
    others = Certificates.make(Files.createDirectory(folder.resolve("others")));
    key = Files.writeString(folder.resolve("key"), Operator.KEY + "\n");
    Path keys = Operator.keys(folder);
    database = TestDatabase.empty();
    node =
        AnyNode.on(database)
            .setting("tenure.http.api-keys-file", keys.toString())
            .setting("tenure.http.tls.keystore-file", ours.keystore().toString())
            .setting("tenure.http.tls.keystore-password", Certificates.PASSWORD)
            .workflow(Chest.class)
            .start();
    node.up().toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
  }

  @AfterAll
  static void stop() {
    node.close();
    database.close();
  }

  private static URI at(String scheme, String host) {
    return URI.create("%s://%s:%d".formatted(scheme, host, node.http().getPort()));
  }

  /** Refused before anything was sent, at the first try, in words that help. */
  private static void refused(TenureClient.Builder to, String code, String... words) {
    try (TenureClient tenure = to.credential(Operator.KEY).build()) {
      long begun = System.nanoTime();
      assertThatExceptionOfType(TenureException.NoSecureConnection.class)
          .isThrownBy(() -> tenure.workflow("refused").signal("shut", 1))
          .satisfies(e -> assertThat(e.code()).isEqualTo(code))
          .satisfies(e -> assertThat(e.mayHaveBeenDone()).isFalse())
          .satisfies(e -> assertThat(e.getMessage()).contains(words).doesNotContain(Operator.KEY));
      assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(30));
    }
  }

  @Test
  void aClientThatTrustsTheAuthorityGetsThrough() {
    assertThat(node.http().getScheme()).isEqualTo("https");
    try (TenureClient tenure =
        TenureClient.to(node.http()).credential(Operator.KEY).trusting(ours.authority()).build()) {
      WorkflowHandle<?> chest =
          tenure.start(
              dev.tenure.client.WorkflowType.of("chest", String.class, List.class), "one", "ada");
      chest.signal("shut", 1);
      assertThat(tenure.workflow("one").describe().type()).isEqualTo("chest");
    }
  }

  @Test
  void aClientThatDoesNotKnowTheAuthorityOrTheNameSendsNothing() {
    refused(TenureClient.to(node.http()), "TlsFailed", node.http().toString());
    refused(TenureClient.to(node.http()).trusting(others.authority()), "TlsFailed", "secure");
    // The certificate is for an address, and this is a name.
    refused(
        TenureClient.to(at("https", "localhost")).trusting(ours.authority()),
        "TlsFailed",
        "localhost");
  }

  @Test
  void whoSpeaksHttpToAPortWithTlsIsToldSoAndTheOtherWayRound() throws IOException {
    refused(
        TenureClient.to(at("http", "127.0.0.1")),
        "TlsWanted",
        "https://" + node.http().getAuthority());
    try (ServerSocket plain = new ServerSocket(0)) {
      Thread.ofVirtual().start(() -> answerInPlainText(plain));
      refused(TenureClient.to("https://127.0.0.1:" + plain.getLocalPort()), "NoTls", "http://");
    }
  }

  private static void answerInPlainText(ServerSocket server) {
    while (!server.isClosed()) {
      try (var socket = server.accept()) {
        socket.getInputStream().read();
        socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes());
      } catch (IOException e) {
        // The test has ended.
        return;
      }
    }
  }

  @Test
  void aConnectionThatEndsWithinTheGreetingIsTriedAgain() throws IOException {
    try (ServerSocket stopping = new ServerSocket(0)) {
      Thread.ofVirtual().start(() -> hangUp(stopping));
      try (TenureClient tenure =
          TenureClient.to("https://127.0.0.1:" + stopping.getLocalPort())
              .retries(
                  new dev.tenure.client.RetryPolicy(
                      2,
                      java.time.Duration.ofMillis(1),
                      java.time.Duration.ofMillis(1),
                      java.time.Duration.ofMinutes(1)))
              .build()) {
        assertThatExceptionOfType(TenureException.Unavailable.class)
            .isThrownBy(() -> tenure.workflow("x").pause("x"))
            .satisfies(e -> assertThat(e.code()).isEqualTo("NotReached"));
      }
    }
  }

  private static void hangUp(ServerSocket server) {
    while (!server.isClosed()) {
      try (var socket = server.accept()) {
        socket.getInputStream().readNBytes(100);
        socket.shutdownOutput();
      } catch (IOException e) {
        // The test has ended.
        return;
      }
    }
  }

  private record Ran(int exit, String out, String err) {}

  private static Ran tenure(String url, String... more) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    List<String> all = new ArrayList<>(List.of("node", "list", "--url", url));
    all.addAll(List.of("--credential-file", key.toString()));
    all.addAll(List.of(more));
    return new Ran(line.execute(all.toArray(String[]::new)), out.toString(), err.toString());
  }

  @Test
  void theCommandLineTrustsTheFileThatItIsGiven() throws IOException {
    Ran done = tenure(node.http().toString(), "--ca-file", ours.authority().toString());
    assertThat(done.exit()).as(done.err()).isZero();
    assertThat(done.out()).contains("REACHABLE", "yes");
    Ran stranger = tenure(node.http().toString(), "--ca-file", others.authority().toString());
    assertThat(stranger.exit()).isEqualTo(2);
    assertThat(stranger.err()).contains("no secure connection").doesNotContain("\tat ");
    Ran plain = tenure(at("http", "127.0.0.1").toString());
    assertThat(plain.exit()).isEqualTo(2);
    assertThat(plain.err()).contains("https://" + node.http().getAuthority());
    Path empty = Files.writeString(folder.resolve("empty.pem"), "");
    Ran nobody = tenure(node.http().toString(), "--ca-file", empty.toString());
    assertThat(nobody.exit()).isEqualTo(2);
    assertThat(nobody.err()).contains("empty.pem");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TenureClient.to(node.http()).trusting(folder.resolve("missing.pem")));
  }

  @Test
  void aKeystoreThatCannotBeUsedIsNamedWithoutItsPassword() throws Exception {
    assertThatExceptionOfType(Tls.KeystoreError.class)
        .isThrownBy(() -> Tls.of(ours.keystore(), "not-" + Certificates.PASSWORD))
        .withMessageContaining(ours.keystore().toString())
        .withMessageNotContaining(Certificates.PASSWORD);
    Path keyless = Certificates.keyless(ours.authority(), folder.resolve("keyless.p12"));
    assertThatExceptionOfType(Tls.KeystoreError.class)
        .isThrownBy(() -> Tls.of(keyless, Certificates.PASSWORD))
        .withMessageContaining("no private key");
  }
}
