package dev.tenure.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tenure.http.access.ApiKeys;
import dev.tenure.http.fault.ErrorCode;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who answers, who is let in, and what every error becomes. */
class ConnectionTest {
  private static final String KEY = "a-key-of-forty-characters-for-the-client";
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  @Test
  void aGuardedNodeLetsInWhomItKnows(@TempDir Path folder) throws IOException {
    Path keys =
        Files.writeString(
            folder.resolve("keys.json"),
            "{\"keys\":[{\"name\":\"shop\",\"sha256\":\"%s\",\"scopes\":[\"client\"]}]}"
                .formatted(ApiKeys.hashOf(KEY)));
    try (RealNode node =
            RealNode.start(
                settings -> settings.setting("tenure.http.api-keys-file", keys.toString()));
        TenureClient nobody = TenureClient.to(node.uri()).build();
        TenureClient wrong = TenureClient.to(node.uri()).credential("wrong-" + KEY).build();
        TenureClient shop = TenureClient.to(node.uri()).credential(KEY).build()) {
      assertThatExceptionOfType(TenureException.NotAllowed.class)
          .isThrownBy(() -> nobody.start(Basket.Echo.TYPE, "a", "x"));
      assertThatExceptionOfType(TenureException.NotAllowed.class)
          .isThrownBy(() -> wrong.start(Basket.Echo.TYPE, "a", "x"))
          .satisfies(e -> assertThat(e.toString() + e.problem()).doesNotContain(KEY));
      assertThat(shop.start(Basket.Echo.TYPE, "a", "x").result()).isEqualTo("x");
      assertThatExceptionOfType(TenureException.NotAllowed.class)
          .isThrownBy(() -> shop.workflow("a").terminate("no operator"))
          .satisfies(e -> assertThat(e.code()).isEqualTo("Forbidden"));

      // A token that has run out is asked for again, and not more often than that.
      Deque<String> tokens = new ArrayDeque<>(List.of("run-out-" + KEY, KEY, KEY));
      try (TenureClient renewing =
          TenureClient.to(node.uri()).credential(tokens::removeFirst).build()) {
        assertThat(renewing.workflow("a").describe().type()).isEqualTo("echo");
        assertThat(tokens).hasSize(1);
      }
    }
  }

  @Test
  void aTraceGoesWithTheCallThroughAllItsTries() {
    try (RealNode node = RealNode.open();
        FaultyProxy proxy = new FaultyProxy(node.uri());
        TenureClient traced =
            TenureClient.to(proxy.uri()).traceparent(() -> Optional.of(TRACE)).build()) {
      proxy.next(FaultyProxy.Fault.CUT_BEFORE);
      traced.start(Basket.Echo.TYPE, "traced", "x");
      assertThat(proxy.seen())
          .hasSize(2)
          .allSatisfy(each -> assertThat(each.header("traceparent")).contains(TRACE));
      assertThat(traced.workflow("traced").describe().attributes().path("traceparent").asText())
          .isEqualTo(TRACE);
    }
  }

  @Test
  void whoIsNotThereIsCalledUnavailableAfterABoundedTime() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    List<Duration> pauses = new ArrayList<>();
    RetryPolicy policy =
        new RetryPolicy(4, Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ofMinutes(1));
    try (TenureClient nobody =
        TenureClient.to("http://127.0.0.1:" + port).retries(policy).pauses(pauses::add).build()) {
      assertThatExceptionOfType(TenureException.Unavailable.class)
          .isThrownBy(() -> nobody.workflow("a").pause("x"))
          .satisfies(e -> assertThat(e.code()).isEqualTo("NotReached"))
          .satisfies(e -> assertThat(e.mayHaveBeenDone()).isFalse())
          .withMessageContaining("127.0.0.1:" + port);
    }
    assertThat(pauses).hasSize(3);
  }

  @Test
  void pausesGrowAreRandomAndEnd() {
    RetryPolicy policy =
        new RetryPolicy(5, Duration.ofMillis(100), Duration.ofMillis(300), Duration.ofSeconds(10));
    Optional<Duration> none = Optional.empty();
    assertThat(policy.pause(1, Duration.ZERO, none, () -> 1)).contains(Duration.ofMillis(100));
    assertThat(policy.pause(2, Duration.ZERO, none, () -> 1)).contains(Duration.ofMillis(200));
    assertThat(policy.pause(3, Duration.ZERO, none, () -> 1)).contains(Duration.ofMillis(300));
    assertThat(policy.pause(3, Duration.ZERO, none, () -> 0.5)).contains(Duration.ofMillis(150));
    assertThat(policy.pause(5, Duration.ZERO, none, () -> 0)).isEmpty();
    assertThat(policy.pause(1, Duration.ofSeconds(10), none, () -> 1)).isEmpty();
    Optional<Duration> late = Optional.of(Duration.ofSeconds(11));
    assertThat(policy.pause(1, Duration.ZERO, late, () -> 0))
        .as("no point in waiting for longer than one may")
        .isEmpty();
  }

  @Test
  void aCredentialDoesNotLeaveTheMachineInTheClear() {
    TenureClient.Builder far = TenureClient.to("http://192.0.2.1:7300").credential(KEY);
    assertThatIllegalArgumentException()
        .isThrownBy(far::build)
        .withMessageContaining("in the clear")
        .withMessageNotContaining(KEY);
    far.credentialsOverPlainHttp().build().close();
    TenureClient.to("https://192.0.2.1").credential(KEY).build().close();
    assertThatIllegalArgumentException().isThrownBy(() -> TenureClient.to("localhost:7300"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TenureClient.to(URI.create("https://ada:secret@example.com")))
        .withMessageNotContaining("secret");
  }

  /** A code that is new in the API must be given its exception here. */
  @ParameterizedTest
  @EnumSource
  void everyErrorOfTheApiHasItsException(ErrorCode code) {
    Problem problem =
        Problem.of(
            code.status(),
            Payloads.standard().object().put("code", code.code()).put("detail", "why"),
            Optional.empty());
    assertThat(Problems.isKnown(problem)).as(code.code()).isTrue();
    TenureException exception = Problems.exception(problem);
    assertThat(exception.code()).isEqualTo(code.code());
    assertThat(exception).hasMessageContaining("why");
    // Whatever the server calls passing, is not taken for final, and the other way round.
    boolean passes = code.status() == 503 || code.status() == 429;
    if (code != ErrorCode.REQUEST_TIMEOUT) {
      assertThat(Problems.done(problem) != Problems.Done.ANSWERED).isEqualTo(passes);
    }
  }
}
