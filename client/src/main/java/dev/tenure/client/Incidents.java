package dev.tenure.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The workflows that stand still and need a person; for operators. */
public final class Incidents {
  private static final int LIST_ROWS = 200;

  private final TenureClient client;

  Incidents(TenureClient client) {
    this.client = client;
  }

  /** All that fit, the newest first, read page by page as far as the stream is. */
  public Stream<Incident> list(IncidentFilter filter) {
    return pages("/api/v1/incidents", filter, "incidents", Incident::of);
  }

  /** By their cause. */
  public Stream<IncidentGroup> groups(IncidentFilter filter) {
    return pages("/api/v1/incident-groups", filter, "groups", IncidentGroup::of);
  }

  private <T> Stream<T> pages(
      String path, IncidentFilter filter, String field, Function<Answer, T> reader) {
    Map<String, String> query = new LinkedHashMap<>(filter.words());
    query.put("limit", Integer.toString(LIST_ROWS));
    return Pages.stream(
        Optional.empty(),
        cursor -> {
          Map<String, String> asked = new LinkedHashMap<>(query);
          cursor.ifPresent(next -> asked.put("cursor", next));
          Answer page = client.send(Request.get(path, asked));
          return new Pages.Page<>(page.all(field, reader), page.optionalText("next"));
        });
  }

  /**
   * Counts those that would be resolved, and does nothing.
   *
   * @param note what was done about their cause; it stands in the histories
   */
  public BulkProposal proposeResolution(IncidentFilter filter, String note) {
    return propose(filter, client.object().put("note", note));
  }

  /** As above, with what to do about activities whose outcome cannot be told. */
  public BulkProposal proposeResolution(IncidentFilter filter, Remedy remedy, String note) {
    ObjectNode body = client.object().put("note", note);
    // It is what becomes of them anyway, also on a node of an earlier version.
    if (!(remedy instanceof Remedy.VerifyAgain)) write(remedy, body.putObject("remedy"));
    return propose(filter, body);
  }

  private void write(Remedy remedy, ObjectNode node) {
    switch (remedy) {
      case Remedy.VerifyAgain() -> node.put("do", "verify-again");
      case Remedy.Retry() -> node.put("do", "retry");
      case Remedy.Complete(Object result) ->
          node.put("do", "complete").set("result", client.payloads().sent(result, "the result"));
      case Remedy.Fail(StatedFailure failure) ->
          failure.writeTo(node.put("do", "fail").putObject("failure"));
    }
  }

  private BulkProposal propose(IncidentFilter filter, ObjectNode body) {
    ObjectNode words = body.putObject("filter");
    filter.words().forEach(words::put);
    return BulkProposal.of(client.send(Request.post("/api/v1/incidents/resolve", body)));
  }

  /** Lets a counted order begin; given again, it finds what it began. */
  public BulkProgress confirm(String confirmation) {
    ObjectNode body = client.object().put("confirmation", confirmation);
    return BulkProgress.of(
        client.send(Request.post("/api/v1/bulk/confirm", body).recognisedBy(confirmation)));
  }

  public BulkProgress progress(String bulkId) {
    return BulkProgress.of(client.send(Request.get(Request.path("bulk", bulkId), Map.of())));
  }
}
