package dev.tenure.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tenure.client.TenureClient;
import dev.tenure.client.TenureException;
import dev.tenure.node.http.Certificates;
import dev.tenure.node.http.Operator;
import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.storage.TestDatabase;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsProcessTest {

  @TempDir Path folder;

  @Test
  void neitherTheKeystoresPasswordNorACredentialReachesTheLog() throws Exception {
    Certificates certificates = Certificates.make(folder);
    Path keys = Operator.keys(folder);
    Path file =
        Files.writeString(
            folder.resolve("node.conf"), "pekko { loglevel = DEBUG, log-config-on-start = on }");
    try (TestDatabase database = TestDatabase.empty()) {
      Map<String, String> environment = new HashMap<>();
      environment.put("TENURE_STORAGE_URL", database.url());
      environment.put("TENURE_STORAGE_USER", LocalPostgres.APPLICATION);
      environment.put("TENURE_STORAGE_MIGRATION_USER", LocalPostgres.OWNER);
      environment.put("TENURE_NODE_PORT", "0");
      environment.put("TENURE_HTTP_PORT", "0");
      environment.put("TENURE_HTTP_API_KEYS_FILE", keys.toString());
      environment.put("TENURE_HTTP_TLS_KEYSTORE_FILE", certificates.keystore().toString());
      environment.put("TENURE_HTTP_TLS_KEYSTORE_PASSWORD", Certificates.PASSWORD);
      environment.put("TENURE_LOG_LEVEL", "TRACE");
      environment.put("TENURE_PEKKO_LOG_LEVEL", "DEBUG");
      try (NodeProcess node =
          NodeProcess.start(folder, environment, "node", "--config", file.toString())) {
        URI address = node.awaitAddress();
        assertThat(address.getScheme()).isEqualTo("https");
        visit(address, certificates);
        node.terminate();
        assertThat(node.awaitExit()).isZero();
        assertThat(node.output()).contains("DEBUG", "log-config-on-start");
        assertThat(node.output())
            .doesNotContain(Certificates.PASSWORD)
            .doesNotContain(Operator.KEY)
            // Whoever says nonsense to the port fills no log with it.
            .doesNotContain(" ERROR ");
      }
      environment.put("TENURE_HTTP_TLS_KEYSTORE_PASSWORD", "wrong-" + Certificates.PASSWORD);
      try (NodeProcess node = NodeProcess.start(folder, environment, "node")) {
        assertThat(node.awaitExit()).isEqualTo(1);
        assertThat(node.output())
            .contains("KeystoreError", certificates.keystore().toString())
            .doesNotContain(Certificates.PASSWORD)
            .doesNotContain("\tat ");
      }
    }
  }

  private static void visit(URI address, Certificates certificates) {
    URI plain = URI.create("http://" + address.getAuthority());
    try (TenureClient operator =
            TenureClient.to(address)
                .credential(Operator.KEY)
                .trusting(certificates.authority())
                .build();
        TenureClient stranger = TenureClient.to(address).credential(Operator.KEY).build();
        TenureClient careless = TenureClient.to(plain).credential(Operator.KEY).build()) {
      assertThat(operator.nodes()).hasSize(1);
      for (TenureClient refused : new TenureClient[] {stranger, careless}) {
        assertThatExceptionOfType(TenureException.NoSecureConnection.class)
            .isThrownBy(refused::nodes);
      }
    }
  }
}
