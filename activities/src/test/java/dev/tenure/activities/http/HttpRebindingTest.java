package dev.tenure.activities.http;

import static dev.tenure.activities.http.Trial.call;
import static dev.tenure.activities.http.Trial.failing;
import static dev.tenure.activities.http.Trial.local;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.activities.outbound.OutboundPolicy;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever a name, a redirect or another process wants: only what was checked is connected to. */
@Timeout(60)
class HttpRebindingTest {
  private static final InetAddress HERE = InetAddress.ofLiteral("127.0.0.1");
  private static final InetAddress METADATA = InetAddress.ofLiteral("169.254.169.254");

  private final LocalServer server = LocalServer.start();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void loopbackIsRefusedByDefault() {
    failing(HttpSettings.publicOnly(), HttpCall.get(server.url("/"))).isRefused();
    failing(HttpSettings.publicOnly(), HttpCall.get(server.url("localhost", "/"))).isRefused();
    failing(HttpSettings.publicOnly(), HttpCall.get(server.url("[::ffff:127.0.0.1]", "/")))
        .isRefused();
    assertThat(server.asked()).isEmpty();
  }

  /** The name is known to this resolver only: had the client asked the JVM's, it had found none. */
  @Test
  void theAddressThatWasCheckedIsTheOneThatIsConnectedTo() throws Exception {
    server.on("/", 200, "", "");
    AtomicInteger lookUps = new AtomicInteger();
    HttpSettings settings =
        local()
            .withResolver(
                host -> lookUps.incrementAndGet() == 1 ? List.of(HERE) : List.of(METADATA));
    assertThat(call(settings, HttpCall.get(server.url("rebinding.test", "/"))).status())
        .isEqualTo(200);
    assertThat(lookUps).hasValue(1);
    assertThat(server.asked().getFirst().header("Host"))
        .contains("rebinding.test:" + server.port());

    // The next call looks it up anew, and its address is refused.
    failing(settings, HttpCall.get(server.url("rebinding.test", "/"))).isRefused();
    assertThat(lookUps).hasValue(2);
  }

  @Test
  void aNameThatTurnsToTheInsideAfterTheCheckReachesNothingThere() {
    // What is permitted is an address that nothing answers on; the second answer is this server.
    InetAddress permitted = InetAddress.ofLiteral("127.9.9.9");
    AtomicInteger lookUps = new AtomicInteger();
    HttpSettings settings =
        HttpSettings.of(OutboundPolicy.publicOnly().allowing("127.9.9.9"))
            .withTimeouts(Duration.ofSeconds(2), Duration.ofSeconds(5))
            .withResolver(
                host -> lookUps.incrementAndGet() == 1 ? List.of(permitted) : List.of(HERE));
    failing(settings, HttpCall.get(server.url("localhost", "/"))).isUnsent();
    failing(settings, HttpCall.get(server.url("localhost", "/"))).isRefused();
    assertThat(server.asked()).isEmpty();
  }

  @Test
  void redirectsAreNotFollowedByDefault() {
    redirect("/", server.url("/inside"));
    failing(local(), HttpCall.get(server.url("/"))).saying("answered 302");
    assertThat(server.asked()).hasSize(1);
  }

  @Test
  void aRedirectToMetadataIsRefused() {
    HttpSettings settings = local().followingRedirects(5);
    for (String inside :
        List.of(
            "http://169.254.169.254/latest/meta-data/",
            "//169.254.169.254/",
            "http://metadata.google.internal/",
            "http://[fd00:ec2::254]/",
            "http://10.0.0.1/",
            "file:///etc/passwd",
            "http://user@" + "127.0.0.1:" + server.port() + "/inside",
            "http://a b/")) {
      redirect("/", inside);
      failing(settings, HttpCall.get(server.url("/"))).isRefused();
    }
    assertThat(server.asked()).hasSize(8);
  }

  @Test
  void aRedirectToWhereThePolicyPermitsIsFollowedWhenThatIsWanted() throws Exception {
    server.on("/there", 200, "text/plain", "found");
    redirect("/", "/there");
    HttpSettings settings = local().followingRedirects(1);
    HttpCall call = HttpCall.get(server.url("/")).withHeader("X-Token", "word");
    assertThat(call(settings, call).body()).isEqualTo("found");
    assertThat(server.asked().getLast().header("X-Token")).contains("word");
  }

  @Test
  void anotherOriginGetsNoHeaderOfTheCall() throws Exception {
    server.on("/there", 200, "text/plain", "found");
    redirect("/", server.url("other.test", "/there"));
    HttpSettings settings =
        local()
            .followingRedirects(1)
            .withResolver(host -> List.of(HERE))
            .withHeaderFor(server.url(""), "Authorization", () -> "Bearer word");
    call(settings, HttpCall.get(server.url("/")).withHeader("X-Token", "word"));
    assertThat(server.asked().getFirst().header("Authorization")).contains("Bearer word");
    assertThat(server.asked().getLast().header("Host")).contains("other.test:" + server.port());
    assertThat(server.asked().getLast().header("X-Token")).isEmpty();
    assertThat(server.asked().getLast().header("Authorization")).isEmpty();
    assertThat(server.asked().getLast().header("Idempotency-Key")).isEmpty();
  }

  @Test
  void redirectsWithoutEndEnd() {
    redirect("/", "/");
    failing(local().followingRedirects(3), HttpCall.get(server.url("/"))).saying("answered 302");
    assertThat(server.asked()).hasSize(4);
  }

  @Test
  void aPostIsNotSentToAnotherPlace() {
    server.on("/there", 200, "", "");
    redirect("/", "/there");
    failing(local().followingRedirects(3), HttpCall.post(server.url("/"))).saying("answered 302");
    assertThat(server.asked()).hasSize(1);
  }

  private void redirect(String path, String location) {
    server.on(
        path,
        exchange -> {
          exchange.getResponseHeaders().set("Location", location);
          LocalServer.say(exchange, 302, "");
        });
  }
}
