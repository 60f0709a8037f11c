package dev.tenure.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The calls of a worker, one by one. {@link dev.tenure.client.worker.Worker} makes them by itself;
 * these are for workers of another make.
 */
public final class TaskClient {
  /** Tasks of one request. */
  public static final int TASKS_MAX = 100;

  /** The longest wait for tasks. */
  public static final Duration WAIT_MAX = Duration.ofSeconds(60);

  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(15);

  private final TenureClient client;

  TaskClient(TenureClient client) {
    this.client = client;
  }

  /**
   * Takes tasks from a queue; none when none came in time. An interrupt ends the wait.
   *
   * @param worker how the worker calls itself, for people
   * @param activities those that it can run; all when empty
   * @param max at most {@link #TASKS_MAX}
   * @param wait at most {@link #WAIT_MAX}
   */
  public List<Task> take(
      String queue, String worker, Set<String> activities, int max, Duration wait) {
    ObjectNode body = client.object().put("worker", worker).put("max", max);
    if (!activities.isEmpty()) activities.forEach(body.putArray("activities")::add);
    body.put("waitSeconds", wait.toSeconds());
    // A take that was lost on its way has taken other tasks than the next one will.
    Request request =
        Request.post(Request.path("queues", queue) + "/tasks/take", body)
            .notRepeatable()
            .timeLimit(wait.plus(ANSWER_LIMIT));
    return client.send(request).all("tasks", answer -> Task.of(answer, client.payloads()));
  }

  /**
   * Reports on tasks, all in the same way; answer {@code i} is for report {@code i}. Sent again,
   * reports get the same answers.
   *
   * @param reports at most {@link #TASKS_MAX}, all of one kind
   */
  public List<TaskAnswer> report(List<? extends TaskReport> reports) {
    if (reports.isEmpty()) return List.of();
    String word = word(reports.getFirst());
    ObjectNode body = client.object();
    ArrayNode tasks = body.putArray("tasks");
    for (TaskReport report : reports) {
      if (!word(report).equals(word))
        throw new IllegalArgumentException(
            "Reports of one request are of one kind: this has %s and %s."
                .formatted(word, word(report)));
      write(tasks.addObject().put("token", report.token()), report);
    }
    Request request = Request.post("/api/v1/tasks/" + word, body).timeLimit(ANSWER_LIMIT);
    List<TaskAnswer> answers = client.send(request).all("tasks", TaskAnswer::of);
    if (answers.size() != reports.size())
      throw new TenureException.NotTenure(
          "%d of %d reports were answered: is this the address of a Tenure server?"
              .formatted(answers.size(), reports.size()));
    return answers;
  }

  /** The last word of the path that it is sent to. */
  private static String word(TaskReport report) {
    return switch (report) {
      case TaskReport.Alive alive -> "heartbeat";
      case TaskReport.Extended extended -> "extend";
      case TaskReport.Done done -> "complete";
      case TaskReport.Failed failed -> "fail";
      case TaskReport.Returned returned -> "return";
    };
  }

  private static void write(ObjectNode item, TaskReport report) {
    switch (report) {
      case TaskReport.Alive alive -> alive.details().ifPresent(node -> item.set("details", node));
      case TaskReport.Extended extended ->
          item.put("seconds", Math.max(1, extended.silence().toSeconds()));
      case TaskReport.Done done -> item.set("result", done.result());
      case TaskReport.Failed failed -> {
        item.put("type", failed.type()).put("message", failed.message());
        failed.code().ifPresent(code -> item.put("code", code));
        if (!failed.stack().isEmpty()) item.put("stack", failed.stack());
        item.put("retryable", failed.retryable());
        item.put("effect", failed.noEffect() ? "none" : "possible");
      }
      case TaskReport.Returned returned -> {}
    }
  }

  /** A value as it is sent: written by the client's mapper, and encrypted when the client does. */
  public JsonNode value(Object value, String what) {
    if (value == null) return NullNode.instance;
    return client.payloads().encrypted(client.payloads().write(value, what));
  }
}
