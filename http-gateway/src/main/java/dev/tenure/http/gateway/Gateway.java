package dev.tenure.http.gateway;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.http.access.Access;
import dev.tenure.http.access.Caller;
import dev.tenure.http.access.Scope;
import dev.tenure.http.access.Throttle;
import dev.tenure.http.api.Call;
import dev.tenure.http.api.Connection;
import dev.tenure.http.api.Operation;
import dev.tenure.http.bulk.BulkRoutes;
import dev.tenure.http.bulk.BulkRunner;
import dev.tenure.http.cluster.ClusterRoutes;
import dev.tenure.http.describe.DocsPage;
import dev.tenure.http.describe.OpenApi;
import dev.tenure.http.describe.OpenRpc;
import dev.tenure.http.events.EventRoutes;
import dev.tenure.http.events.EventStreams;
import dev.tenure.http.fault.ApiFault;
import dev.tenure.http.fault.ErrorCode;
import dev.tenure.http.json.Json;
import dev.tenure.http.json.JsonReader;
import dev.tenure.http.rest.RestDoor;
import dev.tenure.http.rest.Routes;
import dev.tenure.http.rpc.RpcDoor;
import dev.tenure.http.worker.WorkerRoutes;
import dev.tenure.http.workflow.Engine;
import dev.tenure.http.workflow.WorkflowOperations;
import dev.tenure.persistence.bulk.BulkOperations;
import dev.tenure.sharding.task.TaskDesk;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/** Handles every HTTP request: finds its caller and its operation, and makes the answer. */
public final class Gateway {
  public static final String OPENAPI = "/api/openapi.json";
  public static final String JSON_RPC = "/api/jsonrpc";
  public static final String DOCS = "/docs";

  private final ActorSystem<?> system;
  private final GatewaySettings settings;
  private final Throttle throttle;
  private final Guardian guardian;
  private final Routes routes;
  private final RpcDoor rpc;
  private final byte[] openApi;
  private final Optional<Probes> probes;
  private final BulkRunner bulkRunner;
  private final EventStreams streams;
  private final TaskDesk tasks;
  private volatile boolean leaving;

  /** Answers of the node on the same port, for the supervisor of the process. */
  public interface Probes {
    /**
     * Empty when the path is none of them. Every client is answered; only those that may know more
     * of the node get the reasons.
     */
    Optional<CompletionStage<HttpResponse>> answer(
        String path, HttpRequest request, BooleanSupplier mayKnowMore);
  }

  Gateway(ActorSystem<?> system, GatewaySettings settings, Engine engine, Optional<Probes> probes) {
    BulkOperations bulk = engine.storage().bulkOperations();
    this.bulkRunner = new BulkRunner(engine, bulk, settings.audit());
    this.tasks = engine.tasks();
    this.streams = new EventStreams(engine, EventStreams.HEARTBEAT);
    List<Operation> operations =
        new ArrayList<>(WorkflowOperations.of(engine, settings.requests().answers()));
    operations.addAll(new EventRoutes(engine, streams).all());
    operations.addAll(new BulkRoutes(engine, bulk, bulkRunner).all());
    operations.addAll(WorkerRoutes.of(engine, settings.requests().answers()));
    operations.addAll(new ClusterRoutes(system, engine.storage()).all());
    this.system = system;
    this.settings = settings;
    this.throttle = new Throttle(settings.limits(), System::nanoTime);
    this.guardian = new Guardian(settings.audit(), engine.ids());
    this.routes = new Routes(operations);
    this.rpc = new RpcDoor(operations, OpenRpc.of(operations), guardian);
    this.openApi = Responses.bytes(OpenApi.of(operations));
    this.probes = probes;
  }

  /** Listens; completes with where, or fails when that is taken. */
  public static CompletionStage<URI> start(
      ActorSystem<?> system, GatewaySettings settings, Engine engine, Optional<Probes> probes) {
    Gateway gateway = new Gateway(system, settings, engine, probes);
    CoordinatedShutdown.get(system)
        .addTask(
            CoordinatedShutdown.PhaseServiceUnbind(),
            "refuse-requests",
            () -> {
              gateway.leave();
              return CompletableFuture.completedStage(Done.getInstance());
            });
    return Listener.start(system, settings, gateway::answer);
  }

  void leave() {
    leaving = true;
    streams.close();
    tasks.leave();
    bulkRunner.close();
  }

  /**
   * @param connection on which it came, and which is lost when its sender goes away
   */
  CompletionStage<HttpResponse> answer(HttpRequest request, Connection connection) {
    String path = "";
    try {
      Incoming incoming = Incoming.of(request);
      path = incoming.rawPath();
      Optional<CompletionStage<HttpResponse>> probe =
          probes.flatMap(
              known -> known.answer(incoming.rawPath(), request, () -> mayKnowMore(incoming)));
      if (probe.isPresent()) return probe.get();
      if (leaving) throw leaving();
      // The same for all callers, with no data of this node: a browser sends no credential here.
      if (path.equals(DOCS)) return described(incoming);
      Caller caller = settings.access().caller(incoming.only("authorization"));
      if (settings.access() instanceof Access.Open) requireOwnPage(incoming);
      return route(incoming, caller, connection);
    } catch (RuntimeException e) {
      request.entity().discardBytes(system);
      return CompletableFuture.completedStage(
          path.equals(JSON_RPC) ? rpcFault(e) : Responses.problem(guardian.fault(e)));
    }
  }

  /** Requests that are under way are still answered; new ones are sent to another node. */
  private static ApiFault leaving() {
    return ApiFault.of(ErrorCode.OVERLOADED, "This node stops: ask another one.")
        .retryAfter(Duration.ofSeconds(1));
  }

  /** A supervisor without a credential, or with one that ran out, still hears yes or no. */
  private boolean mayKnowMore(Incoming incoming) {
    try {
      return settings.access().caller(incoming.only("authorization")).mayDo(Set.of(Scope.OPERATOR));
    } catch (ApiFault stranger) {
      return false;
    }
  }

  /** Where no credential is needed, a page from elsewhere could act for the developer. */
  private static void requireOwnPage(Incoming incoming) {
    Optional<String> origin = incoming.only("origin");
    Optional<String> host = incoming.only("host");
    if (origin.isPresent() && !origin.equals(host.map(name -> "http://" + name))) {
      throw ApiFault.of(ErrorCode.FORBIDDEN, "Pages of other hosts are not served.");
    }
  }

  private CompletionStage<HttpResponse> route(
      Incoming incoming, Caller caller, Connection connection) {
    String path = incoming.rawPath();
    if (path.equals(JSON_RPC)) return rpc(incoming, caller, connection);
    if (path.equals(OPENAPI)) {
      return passing(caller, pass -> described(incoming));
    }
    return passing(caller, pass -> rest(incoming, caller, new Call.UnderWay(connection, pass)));
  }

  private CompletionStage<HttpResponse> described(Incoming incoming) {
    incoming.request().entity().discardBytes(system);
    if (!incoming.method().equals("GET")) {
      throw ApiFault.of(ErrorCode.METHOD_NOT_ALLOWED, "Use GET.").with("allow", "GET");
    }
    return CompletableFuture.completedStage(
        incoming.rawPath().equals(OPENAPI)
            ? Responses.text(ContentTypes.APPLICATION_JSON, openApi)
            : Responses.page(DocsPage.html(), DocsPage.POLICY));
  }

  /** Within the limits of the caller; they are given back when the answer is known. */
  private CompletionStage<HttpResponse> passing(
      Caller caller, Function<Throttle.Pass, CompletionStage<HttpResponse>> work) {
    Throttle.Pass pass = throttle.enter(caller, 1);
    try {
      return work.apply(pass)
          .exceptionally(failure -> Responses.problem(guardian.fault(failure)))
          .whenComplete((answer, failure) -> pass.leave());
    } catch (RuntimeException e) {
      pass.leave();
      throw e;
    }
  }

  private CompletionStage<HttpResponse> rest(
      Incoming incoming, Caller caller, Call.UnderWay request) {
    Routes.Match match = routes.match(incoming.method(), Routes.partsOf(incoming.rawPath()));
    return incoming
        .read(system, settings.requests())
        .thenCompose(
            read ->
                guardian.perform(match.operation(), RestDoor.read(match, read, caller, request)))
        .thenApply(Responses::of);
  }

  private CompletionStage<HttpResponse> rpc(
      Incoming incoming, Caller caller, Connection connection) {
    if (!incoming.method().equals("POST")) {
      throw ApiFault.of(ErrorCode.METHOD_NOT_ALLOWED, "Use POST.").with("allow", "POST");
    }
    // One request is let in before its body is read, what a batch asks for beyond that afterwards.
    return passing(
        caller,
        pass ->
            incoming
                .read(system, settings.requests())
                .thenApply(
                    read -> JsonReader.read(read.body().orElse(new byte[0]), read.jsonDepth()))
                .thenCompose(sent -> batch(sent, caller, new Call.UnderWay(connection, pass)))
                .exceptionally(this::rpcFault));
  }

  private CompletionStage<HttpResponse> batch(Json sent, Caller caller, Call.UnderWay request) {
    int more = RpcDoor.size(sent) - 1;
    if (more > 0) throttle.enter(caller, more).leave();
    return rpc.handle(sent, caller, request)
        .thenApply(
            answer ->
                answer
                    .map(body -> Responses.json(200, body))
                    .orElseGet(() -> HttpResponse.create().withStatus(204)));
  }

  private HttpResponse rpcFault(Throwable failure) {
    ApiFault fault = guardian.fault(failure);
    ObjectNode body = RpcDoor.error(Optional.empty(), fault);
    return Responses.headers(Responses.json(fault.code().status(), body), fault);
  }
}
