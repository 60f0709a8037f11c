package dev.tenure.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.http.api.Operation;
import dev.tenure.http.bulk.BulkRoutes;
import dev.tenure.http.describe.OpenApi;
import dev.tenure.http.fault.ApiFault;
import dev.tenure.http.fault.ErrorCode;
import dev.tenure.http.json.Json;
import dev.tenure.http.json.JsonReader;
import dev.tenure.http.rest.Routes;
import dev.tenure.http.schema.FieldError;
import dev.tenure.http.worker.WorkerRoutes;
import dev.tenure.http.workflow.AnswerLimits;
import dev.tenure.http.workflow.Engine;
import dev.tenure.http.workflow.WorkflowOperations;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Holds every answer that a test gets against what the API's description says of it. */
final class Described {
  private static final Engine NONE = new Engine(null, null, null, null, null);
  private static final Routes ROUTES = new Routes(operations());

  private Described() {}

  /** Without an engine: they are only looked at. */
  static List<Operation> operations() {
    List<Operation> all = new ArrayList<>(WorkflowOperations.of(NONE));
    all.addAll(new BulkRoutes(NONE, null, null).all());
    all.addAll(WorkerRoutes.of(NONE, AnswerLimits.DEFAULT));
    return all;
  }

  static void check(String method, URI uri, int status, byte[] body) {
    Optional<Operation> operation = operation(method, uri);
    if (operation.isEmpty() || body.length == 0) return;
    Json json = JsonReader.read(body);
    if (status < 400) {
      Operation.Reply reply =
          operation.get().replies().stream()
              .filter(each -> each.status() == status)
              .findFirst()
              .orElseThrow(() -> new AssertionError(operation.get().name() + " answers " + status));
      List<FieldError> found = new ArrayList<>();
      reply.schema().check(json, "", found);
      assertThat(found).as(operation.get().name() + " " + new String(body)).isEmpty();
      return;
    }
    String code = ((Json.Text) ((Json.Obj) json).fields().get("code")).value();
    Set<ErrorCode> described = EnumSet.copyOf(OpenApi.COMMON);
    described.addAll(OpenApi.OF_BODIES);
    described.addAll(operation.get().errors());
    assertThat(described.stream().map(ErrorCode::code))
        .as("what " + operation.get().name() + " says it may answer")
        .contains(code);
  }

  private static Optional<Operation> operation(String method, URI uri) {
    try {
      return Optional.of(ROUTES.match(method, Routes.partsOf(uri.getRawPath())).operation());
    } catch (ApiFault nothing) {
      return Optional.empty();
    }
  }
}
