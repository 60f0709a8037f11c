package dev.tenure.client.worker;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.tenure.client.RetryPolicy;
import dev.tenure.client.TaskClient;
import dev.tenure.client.TenureClient;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What a worker is to do, and for whom. */
public final class WorkerBuilder {
  static final int AT_ONCE_MAX = 10_000;

  /** An activity of this worker. */
  record Activity(Type input, ActivityBody<Object> body) {}

  final Map<String, Activity> activities = new LinkedHashMap<>();
  Optional<String> queue = Optional.empty();
  int atOnce = 10;
  String name = ManagementFactory.getRuntimeMXBean().getName();
  Duration wait = Duration.ofSeconds(30);
  Duration drainLimit = Duration.ofSeconds(30);
  Backoff.Pauses pauses = Thread::sleep;
  private Optional<String> url = Optional.empty();
  private Optional<String> apiKey = Optional.empty();
  private Optional<TenureClient> given = Optional.empty();

  WorkerBuilder() {}

  /** The address of the cluster: of any node, or of a load balancer in front of them. */
  public WorkerBuilder url(String address) {
    url = Optional.of(address);
    return this;
  }

  /** A key or a token with the scope {@code worker}. */
  public WorkerBuilder apiKey(String key) {
    apiKey = Optional.of(key);
    return this;
  }

  /**
   * A client of the caller's own in place of url and key, with its TLS, mapper and cipher; it stays
   * open when the worker closes.
   */
  public WorkerBuilder client(TenureClient own) {
    given = Optional.of(own);
    return this;
  }

  /** The queue to take tasks from. For several queues there are several workers. */
  public WorkerBuilder queue(String of) {
    queue = Optional.of(of);
    return this;
  }

  /** The code of an activity. The worker takes only tasks whose code it has. */
  public <I> WorkerBuilder activity(String activity, Class<I> input, ActivityBody<I> body) {
    return add(activity, input, body);
  }

  /** As the other, for inputs such as lists. */
  public <I> WorkerBuilder activity(String activity, TypeReference<I> input, ActivityBody<I> body) {
    return add(activity, input.getType(), body);
  }

  private <I> WorkerBuilder add(String activity, Type input, ActivityBody<I> body) {
    @SuppressWarnings("unchecked")
    ActivityBody<Object> any = (ActivityBody<Object>) body;
    if (activities.put(activity, new Activity(input, any)) != null)
      throw new IllegalArgumentException("Activity %s stands there twice.".formatted(activity));
    if (activities.size() > TaskClient.TASKS_MAX)
      throw new IllegalArgumentException(
          "A worker has at most %d activities.".formatted(TaskClient.TASKS_MAX));
    return this;
  }

  /** How many tasks run at the same time, on virtual threads; 10 unless said otherwise. */
  public WorkerBuilder atOnce(int max) {
    if (max < 1 || max > AT_ONCE_MAX)
      throw new IllegalArgumentException("%d at once: use 1 to %d.".formatted(max, AT_ONCE_MAX));
    atOnce = max;
    return this;
  }

  /** How people see the worker; process and host unless said otherwise. */
  public WorkerBuilder name(String shown) {
    name = shown;
    return this;
  }

  /** How long a poll waits for tasks. */
  public WorkerBuilder pollWait(Duration span) {
    if (span.isNegative() || span.compareTo(TaskClient.WAIT_MAX) > 0)
      throw new IllegalArgumentException(
          "A poll waits for %s: use at most %s.".formatted(span, TaskClient.WAIT_MAX));
    wait = span;
    return this;
  }

  /** How long {@link Worker#close} waits for what runs; 30 seconds unless said otherwise. */
  public WorkerBuilder drainLimit(Duration span) {
    drainLimit = span;
    return this;
  }

  WorkerBuilder pauses(Backoff.Pauses how) {
    pauses = how;
    return this;
  }

  /** Begins to take tasks. */
  public Worker start() {
    if (queue.isEmpty()) throw new IllegalArgumentException("The worker needs a queue.");
    if (activities.isEmpty()) throw new IllegalArgumentException("The worker has no activity.");
    return new Worker(this, given.orElseGet(this::client), given.isEmpty());
  }

  /** It tries each call once: the worker itself knows what to send again, and when. */
  private TenureClient client() {
    TenureClient.Builder builder =
        TenureClient.to(
                url.orElseThrow(() -> new IllegalArgumentException("The worker needs a url.")))
            .retries(RetryPolicy.NONE);
    apiKey.ifPresent(builder::credential);
    return builder.build();
  }
}
