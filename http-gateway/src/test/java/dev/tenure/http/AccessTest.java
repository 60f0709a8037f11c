package dev.tenure.http;

import static dev.tenure.http.Http.workflow;
import static dev.tenure.http.access.Audit.Details.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.tenure.http.access.Access;
import dev.tenure.http.access.AccessError;
import dev.tenure.http.access.ApiKeys;
import dev.tenure.http.access.Audit;
import dev.tenure.http.access.Tokens;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may do what, on a node that asks. */
class AccessTest {
  private static final String CLIENT = "client-key-of-more-than-32-characters";
  private static final String OPERATOR = "operator-key-of-more-than-32-characters";
  private static final String WORKER = "worker-key-of-more-than-32-characters";
  private static final String MAILER = "mailer-key-of-more-than-32-characters";
  private static final String START = "/api/v1/workflows";

  @TempDir static Path folder;
  private static final List<Audit.Entry> AUDITED = new CopyOnWriteArrayList<>();
  private static RSAKey issuer;
  private static Served served;

  @BeforeAll
  static void start() throws JOSEException, IOException {
    issuer = new RSAKeyGenerator(2048).keyID("k").generate();
    Path jwks =
        Files.writeString(folder.resolve("jwks.json"), new JWKSet(issuer.toPublicJWK()).toString());
    Access access =
        new Access.Guarded(
            ApiKeys.read(keyFile()),
            Optional.of(Tokens.of(jwks, "RS256", "https://issuer.test", "tenure")));
    served =
        Served.start(
            given ->
                new dev.tenure.http.gateway.GatewaySettings(
                    given.host(),
                    given.port(),
                    access,
                    given.tls(),
                    given.limits(),
                    AUDITED::add,
                    given.requests()));
  }

  private static Path keyFile() throws IOException {
    String entry = "{\"name\":\"%s\",\"sha256\":\"%s\",\"scopes\":[\"%s\"]}";
    return Files.writeString(
        folder.resolve("keys.json"),
        "{\"keys\":[%s,%s,%s,%s]}"
            .formatted(
                entry.formatted("shop", ApiKeys.hashOf(CLIENT), "client"),
                entry.formatted("ops", ApiKeys.hashOf(OPERATOR), "operator"),
                entry.formatted("worker", ApiKeys.hashOf(WORKER), "worker"),
                entry
                    .formatted("mailer", ApiKeys.hashOf(MAILER), "worker")
                    .replace("}", ",\"queues\":[\"mail\",\"print\"]}")));
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  private static Http as(String credential) {
    return served.http().with("Authorization", "Bearer " + credential);
  }

  @Test
  void withoutACredentialEveryRouteIsClosed() {
    String before = served.stored();
    for (String path :
        List.of(START, "/api/openapi.json", "/docs/", "/api/v1/nodes", "/", "/nothing")) {
      Http.Reply reply = served.http().get(path);
      assertThat(reply.status()).as(path).isEqualTo(401);
      assertThat(reply.code()).isEqualTo("Unauthorized");
      assertThat(reply.header("WWW-Authenticate")).isEqualTo("Bearer");
    }
    assertThat(served.http().post(START, "{\"type\":\"basket\"}").status()).isEqualTo(401);
    Http.Reply call = served.http().rpc("workflows.start", "{\"type\":\"basket\"}");
    assertThat(call.status()).isEqualTo(401);
    assertThat(call.body().at("/error/code").asInt()).isEqualTo(-32010);
    for (String wrong : List.of("", "short", CLIENT + "x", CLIENT.toUpperCase())) {
      assertThat(as(wrong).post(START, "{\"type\":\"basket\"}").status()).isEqualTo(401);
    }
    assertThat(served.http().with("Authorization", "Basic " + CLIENT).get(START).status())
        .isEqualTo(401);
    assertThat(served.stored()).isEqualTo(before);
  }

  @Test
  void thePageForPeopleIsOpenAndHoldsNothing() throws Exception {
    HttpResponse<String> page = page("/docs");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("Content-Type")).contains("text/html; charset=UTF-8");
    // What the server routes to is in the description, and that asks for a credential.
    assertThat(page.body()).contains("api/openapi.json").doesNotContain("/api/v1");
    String policy = page.headers().firstValue("Content-Security-Policy").orElseThrow();
    assertThat(policy)
        .contains("default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'")
        .contains("script-src 'sha256-" + hash(page.body(), "script") + "'")
        .doesNotContain("unsafe");
    assertThat(page.body())
        .doesNotContain("localStorage", "document.cookie", "http://", "https://");
    assertThat(served.http().post("/docs", "{}").status()).isEqualTo(405);
    assertThat(as(CLIENT).get("/api/openapi.json").status()).isEqualTo(200);
  }

  @Test
  void probesAnswerEverybodyAndTellOperatorsMore() {
    for (Http asking : List.of(served.http(), as("wrong"), as(CLIENT), as(WORKER))) {
      assertThat(asking.get("/probe").body().get("more").asBoolean()).isFalse();
    }
    assertThat(as(OPERATOR).get("/probe").body().get("more").asBoolean()).isTrue();
  }

  private static HttpResponse<String> page(String path) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
          HttpRequest.newBuilder(served.uri.resolve(path)).build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  private static String hash(String page, String element) throws Exception {
    String text = page.split("</?" + element + ">")[1];
    return Base64.getEncoder()
        .encodeToString(
            MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void aScopeAllowsWhatItIsForAndNothingElse() {
    assertThat(as(CLIENT).post(START, "{\"type\":\"basket\",\"id\":\"scoped\"}").status())
        .isEqualTo(201);
    Http.Reply denied = as(CLIENT).post(workflow("scoped", "terminate"));
    assertThat(denied.status()).isEqualTo(403);
    assertThat(denied.code()).isEqualTo("Forbidden");
    assertThat(
            as(CLIENT)
                .rpc("workflows.terminate", "{\"workflowId\":\"scoped\"}")
                .body()
                .at("/error/code")
                .asInt())
        .isEqualTo(-32011);
    assertThat(as(CLIENT).get("/api/v1/nodes").status()).isEqualTo(403);
    assertThat(as(WORKER).get(START).status()).isEqualTo(403);
    assertThat(as(OPERATOR).get("/api/v1/nodes").status()).isEqualTo(200);
    assertThat(as(OPERATOR).post(workflow("scoped", "terminate")).status()).isEqualTo(200);
  }

  private static Http.Reply take(Http worker, String queue) {
    return worker.post("/api/v1/queues/" + queue + "/tasks/take", "{\"worker\":\"w\"}");
  }

  @Test
  void onlyWorkersTakeTasksAndReportOnThem() {
    for (Http other : List.of(as(CLIENT), as(OPERATOR))) {
      assertThat(take(other, "mail").code()).isEqualTo("Forbidden");
      for (String word : List.of("heartbeat", "extend", "complete", "fail", "return"))
        assertThat(other.post("/api/v1/tasks/" + word, "{\"tasks\":[]}").code())
            .isEqualTo("Forbidden");
    }
    assertThat(take(as(WORKER), "anything").status()).isEqualTo(200);
    assertThat(as(WORKER).get("/api/v1/queues").code()).isEqualTo("Forbidden");
    assertThat(as(CLIENT).get("/api/v1/queues/mail").code()).isEqualTo("Forbidden");
    assertThat(as(OPERATOR).get("/api/v1/queues/mail").status()).isEqualTo(200);
  }

  @Test
  void aKeyCanBeLimitedToQueues() {
    assertThat(take(as(MAILER), "mail").status()).isEqualTo(200);
    assertThat(take(as(MAILER), "print").status()).isEqualTo(200);
    for (String queue : List.of("MAIL", "mail%20", "other")) {
      Http.Reply refused = take(as(MAILER), queue);
      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.code()).isEqualTo("QueueForbidden");
      assertThat(refused.text("detail")).contains("[mail, print]");
    }
    assertThat(
            as(MAILER)
                .rpc("tasks.take", "{\"queue\":\"other\",\"worker\":\"w\"}")
                .body()
                .at("/error/code")
                .asInt())
        .isEqualTo(-32011);
  }

  @Test
  void aTokenCanBeLimitedToQueues() throws JOSEException {
    JWTClaimsSet.Builder worker = claims().claim("scope", "tenure:worker");
    assertThat(take(as(signed(worker.build(), issuer, JWSAlgorithm.RS256)), "mail").status())
        .isEqualTo(200);
    Http mailer =
        as(
            signed(
                worker.claim(Tokens.QUEUES, List.of("mail")).build(), issuer, JWSAlgorithm.RS256));
    assertThat(take(mailer, "mail").status()).isEqualTo(200);
    assertThat(take(mailer, "print").code()).isEqualTo("QueueForbidden");
    Http none =
        as(signed(worker.claim(Tokens.QUEUES, List.of()).build(), issuer, JWSAlgorithm.RS256));
    assertThat(take(none, "mail").code()).isEqualTo("QueueForbidden");
    // What cannot be read was meant to limit something.
    Http odd = as(signed(worker.claim(Tokens.QUEUES, "mail").build(), issuer, JWSAlgorithm.RS256));
    assertThat(take(odd, "mail").status()).isEqualTo(401);
  }

  @Test
  void whatOperatorsDoIsWrittenDownAlsoWhenItFails() {
    as(CLIENT).post(START, "{\"type\":\"basket\",\"id\":\"watched\\n\"}");
    AUDITED.clear();
    as(OPERATOR).post(workflow("watched\n", "pause"));
    as(OPERATOR).post(workflow("nobody", "terminate"));
    as(CLIENT).post(workflow("watched\n", "terminate"));
    as(OPERATOR).rpc("workflows.resume", "{\"workflowId\":\"watched\\n\"}");
    as(OPERATOR).get(workflow("watched\n"));
    assertThat(AUDITED)
        .containsExactly(
            new Audit.Entry("ops", "workflows.pause", "watched\n", NONE, "done"),
            new Audit.Entry("ops", "workflows.terminate", "nobody", NONE, "WorkflowNotFound"),
            new Audit.Entry("shop", "workflows.terminate", "watched\n", NONE, "Forbidden"),
            new Audit.Entry("ops", "workflows.resume", "watched\n", NONE, "done"));
    assertThat(AUDITED.getFirst().toString()).doesNotContain("\n").contains("watched\\n");
  }

  private static JWTClaimsSet.Builder claims() {
    return new JWTClaimsSet.Builder()
        .issuer("https://issuer.test")
        .audience("tenure")
        .subject("ada")
        .claim("scope", "openid tenure:client")
        .expirationTime(Date.from(Instant.now().plusSeconds(600)));
  }

  private static String signed(JWTClaimsSet claims, RSAKey key, JWSAlgorithm algorithm)
      throws JOSEException {
    SignedJWT token = new SignedJWT(new JWSHeader.Builder(algorithm).keyID("k").build(), claims);
    token.sign(new RSASSASigner(key));
    return token.serialize();
  }

  @Test
  void aSignedTokenIsAsGoodAsItsScopes() throws JOSEException {
    Http ada = as(signed(claims().build(), issuer, JWSAlgorithm.RS256));
    assertThat(ada.get(START).status()).isEqualTo(200);
    assertThat(ada.get("/api/v1/nodes").status()).isEqualTo(403);
    Http bob =
        as(signed(claims().claim("scope", "tenure:operator").build(), issuer, JWSAlgorithm.RS256));
    assertThat(bob.get("/api/v1/nodes").status()).isEqualTo(200);
  }

  @Test
  void aTokenThatIsExpiredForgedOrForSomebodyElseIsRefused() throws JOSEException {
    RSAKey forger = new RSAKeyGenerator(2048).keyID("k").generate();
    SignedJWT symmetric = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), claims().build());
    // The old trick: the public key, which everybody knows, taken for a secret.
    symmetric.sign(new MACSigner(issuer.toPublicJWK().toRSAPublicKey().getEncoded()));
    List<String> wrong =
        List.of(
            new PlainJWT(claims().build()).serialize(),
            symmetric.serialize(),
            signed(claims().build(), forger, JWSAlgorithm.RS256),
            signed(claims().build(), issuer, JWSAlgorithm.RS512),
            signed(
                claims().expirationTime(Date.from(Instant.now().minusSeconds(600))).build(),
                issuer,
                JWSAlgorithm.RS256),
            signed(claims().expirationTime(null).build(), issuer, JWSAlgorithm.RS256),
            signed(claims().issuer("https://other.test").build(), issuer, JWSAlgorithm.RS256),
            signed(claims().audience("other").build(), issuer, JWSAlgorithm.RS256),
            signed(claims().subject(null).build(), issuer, JWSAlgorithm.RS256),
            signed(claims().claim("scope", null).build(), issuer, JWSAlgorithm.RS256),
            signed(claims().build(), issuer, JWSAlgorithm.RS256) + "x",
            "a.b.c");
    for (String token : wrong) assertThat(as(token).get(START).status()).isEqualTo(401);
  }

  @Test
  void credentialsThatCannotBeUsedAreRefusedAtTheStart() throws IOException {
    for (String file :
        List.of(
            "",
            "[]",
            "{\"keys\":[{\"name\":\"a\",\"sha256\":\"x\",\"scopes\":[]}]}",
            "{\"keys\":[{\"name\":\"a\",\"sha256\":\"" + "g".repeat(64) + "\",\"scopes\":[]}]}",
            "{\"keys\":[{\"name\":\"a\",\"sha256\":\""
                + "0".repeat(64)
                + "\",\"scopes\":[\"god\"]}]}",
            "{\"keys\":[{\"name\":\"a\",\"sha256\":\""
                + "0".repeat(64)
                + "\",\"scopes\":[\"worker\"],\"queues\":\"mail\"}]}")) {
      Path path = Files.writeString(folder.resolve("wrong.json"), file);
      assertThatThrownBy(() -> ApiKeys.read(path)).isInstanceOf(AccessError.class);
    }
    assertThatThrownBy(() -> ApiKeys.read(folder.resolve("missing")))
        .isInstanceOf(AccessError.class);
    assertThatThrownBy(() -> Tokens.of(folder.resolve("jwks.json"), "none", "i", "a"))
        .isInstanceOf(AccessError.class);
    assertThatThrownBy(() -> Tokens.of(folder.resolve("jwks.json"), "HS256", "i", "a"))
        .isInstanceOf(AccessError.class);
  }
}
