package dev.tenure.http.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.http.Served;
import dev.tenure.http.access.Access;
import dev.tenure.http.api.Connection;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.headers.RawRequestURI;
import org.junit.jupiter.api.Test;

/** A node that stops sends new requests elsewhere. */
class LeavingTest {
  @Test
  void aNodeThatStopsRefusesNewRequestsAndSaysWhenToComeAgain() {
    try (Served served = Served.start()) {
      Gateway gateway =
          new Gateway(
              served.system(),
              GatewaySettings.of("127.0.0.1", 0, new Access.Open()),
              served.engine(),
              Optional.empty());
      HttpRequest list = raw(HttpRequest.GET("http://127.0.0.1/api/v1/workflows"));
      assertThat(answer(gateway, list).status().intValue()).isEqualTo(200);
      gateway.leave();
      for (HttpRequest request :
          new HttpRequest[] {
            list,
            raw(HttpRequest.POST("http://127.0.0.1/api/v1/workflows")),
            raw(HttpRequest.POST("http://127.0.0.1/api/jsonrpc"))
          }) {
        HttpResponse refused = answer(gateway, request);
        assertThat(refused.status().intValue()).as(request.toString()).isEqualTo(503);
        assertThat(refused.getHeader("Retry-After").orElseThrow().value()).isEqualTo("1");
      }
    }
  }

  /** As the server hands it on. */
  private static HttpRequest raw(HttpRequest request) {
    return request.addHeader(RawRequestURI.create(request.getUri().getPathString()));
  }

  private static HttpResponse answer(Gateway gateway, HttpRequest request) {
    return gateway
        .answer(request, new Connection())
        .toCompletableFuture()
        .orTimeout(60, TimeUnit.SECONDS)
        .join();
  }
}
