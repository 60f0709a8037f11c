package dev.tenure.sharding.crash;

import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.workflow.ActivityCode;
import dev.tenure.workflow.ActivityContext;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.ActivityFailedException;
import dev.tenure.workflow.OperationTimedOutException;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Verifier.Verdict;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowRegistration;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One activity for each way in which its outcome can be proven, or cannot. */
final class Payments {
  /** How a repetition is recognised, and what the verifier says. */
  enum Kind {
    /** No key: it runs at least once. */
    PLAIN,
    /** A key, and nothing that could tell what happened. */
    BARE,
    /** The receiver recognises the key. */
    IDEMPOTENT,
    /** The verifier asks the receiver, and gives the result. */
    TRUTHFUL,
    /** The verifier knows that it happened, and has no result. */
    FORGETFUL,
    /** The verifier cannot tell. */
    UNSURE,
    /** The verifier fails. */
    BROKEN;

    String activity() {
      return "pay-" + name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  private static final RetryPolicy RETRY =
      RetryPolicy.DEFAULT.attempts(2).backoff(Duration.ofMillis(50), 1, Duration.ofMillis(50));

  private final HttpClient client = HttpClient.newHttpClient();
  private final int port;

  Payments(int port) {
    this.port = port;
  }

  static ActivityDefinition<String, String> definition(Kind kind) {
    ActivityDefinition<String, String> plain =
        ActivityDefinition.of(kind.activity(), String.class, String.class).withRetry(RETRY);
    return switch (kind) {
      case PLAIN -> plain;
      case IDEMPOTENT -> plain.asIdempotent();
      case TRUTHFUL -> plain.keyedBy(order -> "order " + order);
      case BARE, FORGETFUL, UNSURE, BROKEN -> plain.keyed();
    };
  }

  /** Pays once; the input is the kind. */
  @Workflow(name = "payment")
  public static final class Payment {
    public String run(WorkflowContext ctx, String kind) {
      try {
        return "paid " + ctx.activity(definition(Kind.valueOf(kind)), kind);
      } catch (ActivityFailedException failed) {
        return "failed " + failed.failure().type();
      } catch (OperationTimedOutException late) {
        return "late";
      }
    }
  }

  static List<WorkflowRegistration<?>> types() {
    return List.of(WorkflowRegistration.of(Payment.class, Payment::new));
  }

  List<ActivityRegistration<?, ?>> activities() {
    List<ActivityRegistration<?, ?>> all = new ArrayList<>();
    for (Kind kind : Kind.values())
      all.add(
          ActivityRegistration.of(
              code(kind), ActivityRegistration.RUNNING_MAX, ActivityRegistration.WAITING_MAX));
    return all;
  }

  private ActivityCode<String, String> code(Kind kind) {
    ActivityCode<String, String> code = ActivityCode.of(definition(kind), this::pay);
    return switch (kind) {
      case PLAIN, BARE, IDEMPOTENT -> code;
      case TRUTHFUL -> code.verifiedBy((call, input) -> seen(call, true));
      case FORGETFUL -> code.verifiedBy((call, input) -> seen(call, false));
      case UNSURE -> code.verifiedBy((call, input) -> Verdict.indeterminate("the books are shut"));
      case BROKEN ->
          code.verifiedBy(
              (call, input) -> {
                throw new IOException("no way to the receiver");
              });
    };
  }

  private String pay(ActivityContext call, String order) throws Exception {
    return send("POST", "/pay", call).body();
  }

  private Verdict<String> seen(ActivityContext call, boolean givesResult) throws Exception {
    HttpResponse<String> answer = send("GET", "/seen", call);
    if (answer.statusCode() == 404) return Verdict.notCompleted("the receiver knows no such key");
    return givesResult
        ? Verdict.completed(answer.body(), "the receiver has " + answer.body())
        : Verdict.resultUnavailable("the receiver knows the key");
  }

  private HttpResponse<String> send(String method, String path, ActivityContext call)
      throws IOException, InterruptedException {
    String key = URLEncoder.encode(call.idempotencyKey(), StandardCharsets.UTF_8);
    return client.send(
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:%d%s?key=%s".formatted(port, path, key)))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
