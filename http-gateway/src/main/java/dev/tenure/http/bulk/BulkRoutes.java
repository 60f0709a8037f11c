package dev.tenure.http.bulk;

import static dev.tenure.http.access.Scope.OPERATOR;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.http.api.Answer;
import dev.tenure.http.api.Call;
import dev.tenure.http.api.Operation;
import dev.tenure.http.fault.ApiFault;
import dev.tenure.http.fault.ErrorCode;
import dev.tenure.http.schema.Schema;
import dev.tenure.http.schema.Schema.Choice;
import dev.tenure.http.schema.Schema.Flag;
import dev.tenure.http.schema.Schema.Text;
import dev.tenure.http.schema.Schema.Whole;
import dev.tenure.http.schema.Shape;
import dev.tenure.http.workflow.Engine;
import dev.tenure.http.workflow.Filters;
import dev.tenure.http.workflow.IncidentFilters;
import dev.tenure.http.workflow.Remedies;
import dev.tenure.persistence.bulk.BulkOperation;
import dev.tenure.persistence.bulk.BulkOperations;
import dev.tenure.persistence.bulk.BulkState;
import dev.tenure.persistence.incident.IncidentFilter;
import dev.tenure.persistence.incident.IncidentGroup;
import dev.tenure.persistence.visibility.Page;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.workflow.kernel.Command;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * One order to all workflows that match: counted first, so that a client does not end ten thousand
 * workflows by a filter that was meant for ten; then confirmed; then watched.
 */
public final class BulkRoutes {
  /** Nothing is counted further than that. */
  public static final int COUNT_MAX = 1_000_000;

  private static final String PROPOSE = "bulk.propose";
  private static final String RESOLVE = "incidents.resolve";
  private static final int ID_BYTES_MAX = 128;
  private static final Schema ID = new Text("bulkId", 1, ID_BYTES_MAX);
  private static final Schema COUNT = new Whole(0, Long.MAX_VALUE);
  private static final Schema ORDER =
      new Choice(BulkRequest.Order.OF_WORKFLOWS.stream().map(BulkRequest.Order::word).toList());

  private static final Schema PROPOSAL =
      Shape.named("BulkProposal")
          .required("bulkId", ID, "")
          .required("count", COUNT, "How many match now.")
          .required("countIsComplete", new Flag(), "False when there are even more.")
          .required(
              "confirmation",
              ID,
              "To be sent back within ten minutes; nothing has been done to any workflow yet.")
          .schema();

  private static final Schema PROGRESS =
      Shape.named("BulkProgress")
          .required("bulkId", ID, "")
          .required(
              "state",
              new Choice(Arrays.stream(BulkState.values()).map(BulkState::word).toList()),
              "")
          .required("count", COUNT, "How many matched when it was proposed.")
          .required("applied", COUNT, "How many were changed by the order.")
          .required("unchanged", COUNT, "How many were in the wanted state before, or had ended.")
          .required("failed", COUNT, "")
          .optional("lastFailure", new Text("failure", 0, 1 << 20), "")
          .schema();

  private final Engine engine;
  private final BulkOperations operations;
  private final BulkRunner runner;

  public BulkRoutes(Engine engine, BulkOperations operations, BulkRunner runner) {
    this.engine = engine;
    this.operations = operations;
    this.runner = runner;
  }

  public List<Operation> all() {
    return List.of(propose(), resolveIncidents(), confirm(), get());
  }

  /** What an operation would do to many, in a word; empty for operations of another kind. */
  public static Optional<String> remedy(Operation operation, Call call) {
    return switch (operation.name()) {
      case PROPOSE -> call.text("order");
      case RESOLVE -> Optional.of(Remedies.wordOf(call, BulkRequest.REMEDY));
      default -> Optional.empty();
    };
  }

  private Operation propose() {
    return Operation.post(PROPOSE, "/api/v1/bulk", "Counts the workflows that an order would reach")
        .operators(OPERATOR)
        .required("order", ORDER, "The order for the workflows.")
        .required("filter", Filters.schema(), "Which workflows.")
        .optional("reason", new Text("reason", 0, Command.REASON_BYTES_MAX), "")
        .replies(200, "Nothing has been done yet.", PROPOSAL)
        .handledBy(this::propose);
  }

  private Operation resolveIncidents() {
    return Operation.post(RESOLVE, "/api/v1/incidents/resolve", "Counts which incidents to resolve")
        .operators(OPERATOR)
        .required("filter", IncidentFilters.schema(), "Which incidents.")
        .required(
            "note",
            new Text("note", 1, Command.REASON_BYTES_MAX),
            "What was done; it stands in the histories.")
        .optional(
            BulkRequest.REMEDY,
            Remedies.schema(),
            "What is done about activities whose outcome cannot be told; they are verified again"
                + " when it is absent.")
        .fails(ErrorCode.PAYLOAD_TOO_LARGE)
        .replies(200, "Nothing has been done yet: confirm it as a bulk order.", PROPOSAL)
        .handledBy(
            call -> {
              BulkRequest request = BulkRequest.resolution(call, engine);
              return propose(request, () -> incidents(IncidentFilters.of(request.filter())));
            });
  }

  /** There is a group for each cause, and few causes. */
  private long incidents(IncidentFilter filter) {
    long count = 0;
    Optional<String> cursor = Optional.empty();
    do {
      Page<IncidentGroup> page =
          engine
              .storage()
              .incidents()
              .groups(filter, new PageRequest(PageRequest.MAX_PAGE_ROWS, cursor));
      for (IncidentGroup group : page.rows()) count += group.count();
      cursor = page.next();
    } while (cursor.isPresent() && count <= COUNT_MAX);
    return count;
  }

  private CompletionStage<Answer> propose(Call call) {
    BulkRequest request = BulkRequest.of(call);
    return propose(
        request, () -> engine.storage().workflows().count(Filters.of(request.filter()), COUNT_MAX));
  }

  private CompletionStage<Answer> propose(BulkRequest request, LongSupplier matching) {
    return working(
        () -> {
          long count = matching.getAsLong();
          String id = engine.ids().get();
          String confirmation = engine.ids().get();
          long counted = Math.min(count, COUNT_MAX);
          operations.propose(id, confirmation, request.text(), counted);
          return Answer.ok(
              JsonNodeFactory.instance
                  .objectNode()
                  .put("bulkId", id)
                  .put("count", counted)
                  .put("countIsComplete", count <= COUNT_MAX)
                  .put("confirmation", confirmation));
        });
  }

  private Operation confirm() {
    return Operation.post("bulk.confirm", "/api/v1/bulk/confirm", "Lets a counted order begin")
        .operators(OPERATOR)
        .required("confirmation", ID, "The confirmation that the proposal returned.")
        .replies(202, "It runs by itself: read its progress at Location.", PROGRESS)
        .fails(ErrorCode.CONFIRMATION_STALE)
        .handledBy(
            call ->
                working(
                    () -> {
                      BulkOperation confirmed =
                          operations
                              .confirm(call.textOf("confirmation"))
                              .orElseThrow(
                                  () ->
                                      ApiFault.of(
                                          ErrorCode.CONFIRMATION_STALE,
                                          "Nothing waits for this confirmation, or it waited too"
                                              + " long: count anew."));
                      runner.look();
                      return Answer.accepted(progress(confirmed))
                          .header("Location", "/api/v1/bulk/" + confirmed.id());
                    }));
  }

  private Operation get() {
    return Operation.get("bulk.get", "/api/v1/bulk/{bulkId}", "The progress of a bulk operation")
        .scopes(OPERATOR)
        .path("bulkId", ID, "")
        .replies(200, "", PROGRESS)
        .fails(ErrorCode.BULK_NOT_FOUND)
        .handledBy(
            call ->
                working(
                    () ->
                        Answer.ok(
                            progress(
                                operations
                                    .find(call.textOf("bulkId"))
                                    .orElseThrow(
                                        () ->
                                            ApiFault.of(
                                                ErrorCode.BULK_NOT_FOUND,
                                                "There is no bulk operation of this id."))))));
  }

  private static ObjectNode progress(BulkOperation operation) {
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("bulkId", operation.id())
            .put("state", operation.state().word())
            .put("count", operation.counted())
            .put("applied", operation.progress().applied())
            .put("unchanged", operation.progress().unchanged())
            .put("failed", operation.progress().failed());
    operation.progress().failure().ifPresent(why -> node.put("lastFailure", why));
    return node;
  }

  private static CompletionStage<Answer> working(Supplier<Answer> work) {
    return CompletableFuture.supplyAsync(work, task -> Thread.ofVirtual().start(task));
  }
}
