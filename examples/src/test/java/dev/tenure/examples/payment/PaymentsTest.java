package dev.tenure.examples.payment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tenure.activities.http.OutboundHttp;
import dev.tenure.activities.row.KeyedRow;
import dev.tenure.persistence.embedded.LocalPostgres;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.workflow.ActivityCode;
import dev.tenure.workflow.ActivityContext;
import dev.tenure.workflow.Trace;
import dev.tenure.workflow.Verifier;
import dev.tenure.workflow.Verifier.Verdict;
import dev.tenure.workflow.WorkflowFailure;
import dev.tenure.workflow.WorkflowId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** A provider that knows keys, and books of our own: what was done can be proved. */
class PaymentsTest {
  private record Call(String idempotencyKey) implements ActivityContext {
    @Override
    public WorkflowId workflowId() {
      return new WorkflowId("sale-1");
    }

    @Override
    public String operationId() {
      return "charge#1";
    }

    @Override
    public int attempt() {
      return 1;
    }

    @Override
    public String attemptKey() {
      return idempotencyKey + ":1";
    }

    @Override
    public Optional<String> declaredKey() {
      return Optional.empty();
    }

    @Override
    public Optional<Trace> trace() {
      return Optional.empty();
    }

    @Override
    public Optional<Instant> deadline() {
      return Optional.empty();
    }

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public void heartbeat(Object details) {}

    @Override
    public <T> Optional<T> lastDetails(Class<T> type) {
      return Optional.empty();
    }
  }

  private static final Call CALL = new Call("tenure:sale-1:run-1:charge#1");

  /** It charges once for each key. */
  private static final class Provider implements AutoCloseable {
    final HttpServer server;
    final Map<String, String> charges = new ConcurrentHashMap<>();
    volatile String state = "paid";

    Provider() throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext("/", this::handle);
      server.start();
    }

    String url() {
      return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
      String path = exchange.getRequestURI().getPath();
      String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
      if (!"Bearer word".equals(exchange.getRequestHeaders().getFirst("Authorization")))
        answer(exchange, 401, Optional.empty());
      else if (key != null)
        answer(
            exchange,
            201,
            Optional.of(charges.computeIfAbsent(key, one -> "p/" + (charges.size() + 1))));
      else if (path.startsWith("/charges-by-key/"))
        answer(exchange, 200, Optional.ofNullable(charges.get(path.substring(16))));
      else answer(exchange, 200, charges.values().stream().filter(path::endsWith).findFirst());
    }

    private void answer(HttpExchange exchange, int status, Optional<String> id) throws IOException {
      try (exchange) {
        byte[] body =
            id.map(one -> "{\"id\":\"%s\",\"state\":\"%s\"}".formatted(one, state))
                .orElse("{}")
                .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(id.isPresent() || status == 401 ? status : 404, body.length);
        exchange.getResponseBody().write(body);
      }
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }

  @Test
  void aChargeIsMadeOnceAndCanBeProved() throws Exception {
    try (Provider provider = new Provider();
        OutboundHttp http = Payments.http(provider.url(), "127.0.0.1", () -> "word")) {
      ActivityCode<Charge, Payment> code = Payments.charging(http, provider.url());
      Verifier<Charge, Payment> verifier = code.verifier().orElseThrow();
      Charge charge = new Charge("ada", 900);
      assertThat(verifier.verify(CALL, charge)).isInstanceOf(Verdict.NotCompleted.class);

      Payment payment = code.body().run(CALL, charge);
      assertThat(code.body().run(CALL, charge)).isEqualTo(payment);
      assertThat(provider.charges).hasSize(1);
      assertThat(verifier.verify(CALL, charge))
          .isInstanceOfSatisfying(
              Verdict.CompletedWithResult.class,
              completed -> assertThat(completed.result()).isEqualTo(payment));

      var resource = code.resource().orElseThrow().verifier();
      assertThat(resource.difference(CALL, charge, payment)).isEmpty();
      provider.state = "refunded";
      assertThat(resource.difference(CALL, charge, payment).orElseThrow()).contains("refunded");
    }
  }

  @Test
  void aTokenThatIsNotTakenIsAFailureWithoutAnEffect() throws Exception {
    try (Provider provider = new Provider();
        OutboundHttp http = Payments.http(provider.url(), "127.0.0.1", () -> "wrong")) {
      ActivityCode<Charge, Payment> code = Payments.charging(http, provider.url());
      assertThatThrownBy(() -> code.body().run(CALL, new Charge("ada", 900)))
          .isInstanceOfSatisfying(
              WorkflowFailure.class, failure -> assertThat(failure.code()).contains("http.401"));
    }
  }

  @Test
  void anEntryIsMadeOnceAndCanBeProved() throws Exception {
    try (TestDatabase database = TestDatabase.empty()) {
      database.execute(KeyedRow.TABLE);
      database.execute(
          "CREATE TABLE entry (number bigint GENERATED ALWAYS AS IDENTITY, payment text, state"
              + " text)");
      PGSimpleDataSource source = new PGSimpleDataSource();
      source.setUrl(database.url());
      source.setUser(LocalPostgres.OWNER);
      ActivityCode<Payment, Entry> code = new Books(source).entering();
      Payment payment = new Payment("p/1", "paid");
      Verifier<Payment, Entry> verifier = code.verifier().orElseThrow();
      assertThat(verifier.verify(CALL, payment)).isInstanceOf(Verdict.NotCompleted.class);

      Entry entry = code.body().run(CALL, payment);
      assertThat(code.body().run(CALL, payment)).isEqualTo(entry);
      assertThat(verifier.verify(CALL, payment))
          .isInstanceOfSatisfying(
              Verdict.CompletedWithResult.class,
              completed -> assertThat(completed.result()).isEqualTo(entry));
      var resource = code.resource().orElseThrow().verifier();
      assertThat(resource.difference(CALL, payment, entry)).isEmpty();
      database.execute("DELETE FROM entry");
      assertThat(resource.difference(CALL, payment, entry)).isPresent();
    }
  }
}
