package dev.tenure.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Type;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/**
 * Starts workflows and finds them, on a cluster that is reached over HTTP. Calls block, which
 * virtual threads made cheap, and an interrupt ends them. A call that fails for a reason that
 * passes is tried again, within the bounds of a {@link RetryPolicy}, and never acts twice: it
 * carries one key through all its tries, and the server recognises it.
 *
 * <pre>{@code
 * TenureClient tenure = TenureClient.to("https://tenure.example.com").credential(key).build();
 * WorkflowHandle<Receipt> order = tenure.start(ORDER, "order-17", new PlaceOrder(…));
 * order.signal("approval", new Approval(true, "boss"));
 * Receipt receipt = order.result();
 * }</pre>
 *
 * <p>It is safe for use by many threads, and made to be kept.
 */
public final class TenureClient implements AutoCloseable {
  private static final String WORKFLOWS = "/api/v1/workflows";
  private static final int LIST_ROWS = 200;

  private final Transport transport;
  private final Payloads payloads;
  private final Supplier<String> ids;
  private final AutoCloseable owned;

  private TenureClient(
      Transport transport, Payloads payloads, Supplier<String> ids, AutoCloseable owned) {
    this.transport = transport;
    this.payloads = payloads;
    this.ids = ids;
    this.owned = owned;
  }

  /** The address of the cluster: of any node, or of a load balancer in front of them. */
  public static Builder to(String server) {
    return new Builder(URI.create(server));
  }

  public static Builder to(URI server) {
    return new Builder(server);
  }

  /**
   * Starts it, once: when the id is taken this throws {@link TenureException.AlreadyStarted}, and
   * nothing was changed.
   */
  public <I, O> WorkflowHandle<O> start(WorkflowType<I, O> type, String id, I input) {
    return start(type.request(input).id(id));
  }

  public <I, O> WorkflowHandle<O> start(StartRequest<I, O> request) {
    Answer started =
        send(
            Request.post(WORKFLOWS, request.body(payloads))
                .idempotencyKey(request.idempotencyKey().orElseGet(ids)));
    return new WorkflowHandle<>(
        this,
        started.text("workflowId"),
        request.type().output(),
        Optional.of(started.text("runId")));
  }

  /** Signals a workflow, and starts it first when it is not there. The request names its id. */
  public <I, O> SignalledStart<O> startOrSignal(
      StartRequest<I, O> request, String signal, Object payload) {
    return startOrSignal(request, signal, payload, ids.get());
  }

  /** As with a name; the compiler checks what the signal carries. */
  public <I, O, T> SignalledStart<O> startOrSignal(
      StartRequest<I, O> request, SignalDefinition<T> signal, T payload) {
    return startOrSignal(request, signal, payload, ids.get());
  }

  /**
   * @param signalId of the sender's own: sent again at any time by any client, it is received once
   */
  public <I, O> SignalledStart<O> startOrSignal(
      StartRequest<I, O> request, String signal, Object payload, String signalId) {
    Optional<JsonNode> told =
        Optional.ofNullable(payload).map(value -> payloads.write(value, "the payload"));
    return startOrSend(request, signal, told, signalId);
  }

  /**
   * @param signalId of the sender's own: sent again at any time by any client, it is received once
   */
  public <I, O, T> SignalledStart<O> startOrSignal(
      StartRequest<I, O> request, SignalDefinition<T> signal, T payload, String signalId) {
    Optional<JsonNode> told =
        Optional.ofNullable(payload)
            .map(value -> payloads.write(value, signal.payload(), "the payload"));
    return startOrSend(request, signal.name(), told, signalId);
  }

  private <I, O> SignalledStart<O> startOrSend(
      StartRequest<I, O> request, String signal, Optional<JsonNode> payload, String signalId) {
    if (request.idempotencyKey().isPresent()) {
      throw new IllegalArgumentException("start or signal is recognised by its signalId alone");
    }
    String id =
        request
            .id()
            .orElseThrow(
                () -> new IllegalArgumentException("the request has to name the workflow's id"));
    ObjectNode body = request.body(payloads);
    ObjectNode told = body.putObject("signal").put("name", signal).put("signalId", signalId);
    payload.ifPresent(value -> told.set("payload", payloads.encrypted(value)));
    Answer answer = send(Request.post(WORKFLOWS + "/start-or-signal", body).recognisedBy(signalId));
    return new SignalledStart<>(
        handle(id, request.type().output()),
        answer.flag("started"),
        SignalReceipt.of(answer.within("signal")));
  }

  /** A workflow that was started before, here or elsewhere; nothing is asked for yet. */
  public <O> WorkflowHandle<O> workflow(String id, WorkflowType<?, O> type) {
    return handle(id, type.output());
  }

  public <O> WorkflowHandle<O> workflow(String id, Class<O> result) {
    return handle(id, result);
  }

  /** With its result as it comes. */
  public WorkflowHandle<JsonNode> workflow(String id) {
    return handle(id, JsonNode.class);
  }

  private <O> WorkflowHandle<O> handle(String id, Type output) {
    return new WorkflowHandle<>(this, id, output, Optional.empty());
  }

  /** All that fit, those that started last first, read page by page as far as the stream is. */
  public Stream<WorkflowSummary> list(WorkflowFilter filter) {
    Map<String, String> query = new LinkedHashMap<>(filter.query(payloads));
    query.put("limit", Integer.toString(LIST_ROWS));
    return Pages.stream(
        Optional.empty(),
        cursor -> {
          Map<String, String> asked = new LinkedHashMap<>(query);
          cursor.ifPresent(next -> asked.put("cursor", next));
          Answer page = send(Request.get(WORKFLOWS, asked));
          return new Pages.Page<>(
              page.all("workflows", WorkflowSummary::of), page.optionalText("next"));
        });
  }

  /** The workflows that stand still and need a person; for operators. */
  public Incidents incidents() {
    return new Incidents(this);
  }

  /** The calls of workers; {@link dev.tenure.client.worker.Worker} makes them by itself. */
  public TaskClient tasks() {
    return new TaskClient(this);
  }

  /** The nodes of the cluster; for operators. */
  public List<NodeSummary> nodes() {
    return send(Request.get("/api/v1/nodes", Map.of())).all("nodes", NodeSummary::of);
  }

  /** The shards that were ever taken, and the nodes that have them; for operators. */
  public List<ShardSummary> shards() {
    return send(Request.get("/api/v1/shards", Map.of())).all("shards", ShardSummary::of);
  }

  Answer send(Request request) {
    return transport.send(request);
  }

  Payloads payloads() {
    return payloads;
  }

  ObjectNode object() {
    return payloads.object();
  }

  String newId() {
    return ids.get();
  }

  /** Closes the client's connections; an HTTP client that the caller gave stays open. */
  @Override
  public void close() {
    try {
      owned.close();
    } catch (Exception e) {
      throw new IllegalStateException("the HTTP client could not be closed", e);
    }
  }

  /** How to reach a cluster. */
  public static final class Builder {
    private static final Duration CONNECT_TIME_MAX = Duration.ofSeconds(10);

    private final URI server;
    private Optional<Supplier<String>> credential = Optional.empty();
    private boolean credentialsInTheClear;
    private Optional<HttpClient> http = Optional.empty();
    private Optional<SSLContext> tls = Optional.empty();
    private Supplier<Optional<String>> traceparent = Optional::empty;
    private RetryPolicy retries = RetryPolicy.DEFAULT;
    private Payloads payloads = Payloads.standard();
    private Supplier<String> ids = new RisingIds(InstantSource.system());
    private Transport.Pauses pauses = Thread::sleep;

    private Builder(URI server) {
      boolean web = "http".equals(server.getScheme()) || "https".equals(server.getScheme());
      if (!web || server.getHost() == null || server.getQuery() != null) {
        throw new IllegalArgumentException(
            "\"%s\" is no address like https://tenure.example.com".formatted(server));
      }
      if (server.getUserInfo() != null) {
        throw new IllegalArgumentException("A credential does not belong into an address.");
      }
      String text = server.toString();
      this.server = text.endsWith("/") ? URI.create(text.substring(0, text.length() - 1)) : server;
    }

    /** An API key, or a token that does not run out. */
    public Builder credential(String value) {
      if (value.isBlank()) throw new IllegalArgumentException("The credential is empty.");
      return credential(() -> value);
    }

    /** Asked before each try, so that a token may be renewed; asked again when one was refused. */
    public Builder credential(Supplier<String> source) {
      credential = Optional.of(source);
      return this;
    }

    /** Inside a trusted network: sends the credential without encryption. */
    public Builder credentialsOverPlainHttp() {
      credentialsInTheClear = true;
      return this;
    }

    /** The caller's own, with its pool, proxy and TLS; it stays open when this client closes. */
    public Builder http(HttpClient client) {
      http = Optional.of(client);
      return this;
    }

    /** Which servers the client trusts, and with which certificate it identifies itself. */
    public Builder tls(SSLContext context) {
      tls = Optional.of(context);
      return this;
    }

    /** Trusts servers whose certificates are signed by those in a PEM file, and no others. */
    public Builder trusting(Path certificates) {
      return tls(Trust.in(certificates));
    }

    /** The trace to which calls belong (W3C {@code traceparent}), asked once for each call. */
    public Builder traceparent(Supplier<Optional<String>> source) {
      traceparent = source;
      return this;
    }

    public Builder retries(RetryPolicy policy) {
      retries = policy;
      return this;
    }

    /** How values become JSON; without this as in a node: records, java.time in ISO form. */
    public Builder json(ObjectMapper mapper) {
      payloads = payloads.json(mapper);
      return this;
    }

    /** Encrypts what is sent to workflows, and decrypts what they answer. */
    public Builder encryption(PayloadCipher cipher) {
      payloads = payloads.encryptedBy(cipher);
      return this;
    }

    Builder ids(Supplier<String> source) {
      ids = source;
      return this;
    }

    Builder pauses(Transport.Pauses how) {
      pauses = how;
      return this;
    }

    public TenureClient build() {
      if (http.isPresent() && tls.isPresent()) {
        throw new IllegalArgumentException("The HTTP client that was given brings its own TLS.");
      }
      if (credential.isPresent() && !credentialsInTheClear && !isPrivate()) {
        throw new IllegalArgumentException(
            "A credential would go to %s in the clear: use https, or say credentialsOverPlainHttp()."
                .formatted(server));
      }
      HttpClient client = http.orElseGet(this::newClient);
      Transport transport = new Transport(server, client, credential, traceparent, retries, pauses);
      AutoCloseable owned = http.isPresent() ? () -> {} : client::shutdownNow;
      return new TenureClient(transport, payloads, ids, owned);
    }

    private HttpClient newClient() {
      HttpClient.Builder builder =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .connectTimeout(CONNECT_TIME_MAX);
      tls.ifPresent(builder::sslContext);
      return builder.build();
    }

    /** Encrypted, or never leaving this machine. */
    private boolean isPrivate() {
      if (server.getScheme().equals("https")) return true;
      try {
        return InetAddress.getByName(server.getHost()).isLoopbackAddress();
      } catch (UnknownHostException e) {
        // It is unknown where it would go.
        return false;
      }
    }
  }
}
