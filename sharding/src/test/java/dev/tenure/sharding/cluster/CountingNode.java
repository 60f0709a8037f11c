package dev.tenure.sharding.cluster;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.tenure.persistence.merging.PipelineSettings;
import dev.tenure.persistence.postgres.PostgresStorage;
import dev.tenure.persistence.storage.CheckpointOwnership;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StoreIdentity;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.lease.Tenures;
import dev.tenure.sharding.node.WorkflowNode;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.sharding.workflow.StartRequest;
import dev.tenure.sharding.workflow.Workflows;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.operation.Outcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;

/**
 * A node in a process of its own, with workflows that count. It reads one request per line from its
 * standard input, {@code <number> <verb> [<counter>] [<request>]}, and writes one answer per line:
 * {@code <number> + <value>} or {@code <number> - <reason>}, in any order. It ends with its input.
 */
public final class CountingNode {
  private static final Duration ANSWER_LIMIT = Duration.ofMillis(1500);
  private static final String LISTEN = "listen=";
  private static final String COUNT = "count";
  private static final String INCREMENT = "increment";
  private static final String VALUE = "value";
  private static final PayloadCodec CODEC = PayloadCodec.standard();

  /** Counts the updates that it is sent, each one a commit, and never ends by itself. */
  @Workflow(name = COUNT)
  public static final class Count {
    private long value;

    public void run(WorkflowContext ctx) {
      ctx.onUpdate(INCREMENT, String.class, request -> ++value);
      ctx.onQuery(VALUE, () -> value);
      ctx.awaitSignal("end", String.class);
    }
  }

  private final ClusterRuntime runtime;
  private final WorkflowNode node;
  private final Set<String> started = ConcurrentHashMap.newKeySet();

  private CountingNode(ClusterRuntime runtime) {
    this.runtime = runtime;
    this.node = workflows(runtime);
  }

  /** {@code CountingNode <port> <database url> <shards> [unfenced] [trusting] [listen=<port>]}. */
  public static void main(String[] args) throws IOException {
    List<String> options = Arrays.asList(args).subList(3, args.length);
    int shards = Integer.parseInt(args[2]);
    PostgresStorage postgres = PostgresStorage.open(TestDatabase.settings(args[1]));
    Storage storage = options.contains("unfenced") ? new UnfencedStorage(postgres) : postgres;
    // Whoever trusts its leases for long, and is told late that it does not belong any more, has
    // nothing but the fence between it and a wrong commit.
    boolean trusting = options.contains("trusting");
    ClusterSettings settings =
        ClusterSettings.node(
                "127.0.0.1",
                Integer.parseInt(args[0]),
                new StoreIdentity(CheckpointOwnership.CAS_REQUIRED, shards))
            .withTimes(
                trusting ? Duration.ofMinutes(10) : ClusterSettings.DEFAULT_BEAT,
                trusting ? Duration.ofHours(1) : Duration.ofSeconds(5));
    Config leases =
        ConfigFactory.parseString(
            trusting
                ? "tenure.shard-lease { time-to-live = 1h, renew-every = 15m }"
                : "tenure.shard-lease {}");
    for (String option : options)
      if (option.startsWith(LISTEN))
        leases =
            ConfigFactory.parseString(
                    "pekko.remote.artery.bind.port = " + option.substring(LISTEN.length()))
                .withFallback(leases);
    ClusterRuntime runtime = start(settings, storage, leases);
    CountingNode node = new CountingNode(runtime);
    runtime.up().thenAccept(done -> say("up"));
    node.serve();
    Runtime.getRuntime().halt(3); // the test that started this process is gone
  }

  /** A node with the usual pipeline and the system's clock. */
  static ClusterRuntime start(ClusterSettings settings, Storage storage, Config configured) {
    return ClusterRuntime.start(
        settings, storage, PipelineSettings.DEFAULT, InstantSource.system(), configured);
  }

  /** The workflows of a node. */
  static WorkflowNode workflows(ClusterRuntime runtime) {
    return WorkflowNode.start(
        runtime,
        WorkflowSettings.of(
            InstantSource.system(),
            () -> ThreadLocalRandom.current().nextLong(),
            () -> UUID.randomUUID().toString()),
        List.of(WorkflowRegistration.of(Count.class, Count::new)),
        List.of());
  }

  private void serve() throws IOException {
    BufferedReader requests =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      String[] words = line.split(" ");
      String number = words[0];
      switch (words[1]) {
        case "inc" -> answer(number, increment(node.workflows(), started, words[2], words[3]));
        case "get" ->
            answer(
                number,
                node.workflows()
                    .query(WorkflowId.of(words[2]), VALUE, Payload.NONE)
                    .thenApply(CountingNode::number));
        case "members" -> say(number + " + " + members());
        case "held" -> say(number + " + " + Tenures.of(runtime.system()).held());
        case "resident" -> say(number + " + " + node.resident());
        case "owns" ->
            say(
                number
                    + " + "
                    + (Tenures.of(runtime.system()).shards().contains(Integer.valueOf(words[2]))
                        ? 1
                        : 0));
        case "leads" -> say(number + " + " + (runtime.leads() ? 1 : 0));
        case "stop" -> runtime.stop();
        default -> say(number + " - unknown");
      }
    }
  }

  /**
   * Counts one request, which is stored once however often this is tried.
   *
   * @param started the counters that are known to be there
   */
  static CompletionStage<Long> increment(
      Workflows workflows, Set<String> started, String counter, String request) {
    CompletionStage<?> there =
        started.contains(counter)
            ? CompletableFuture.completedStage(null)
            : workflows
                .start(StartRequest.of(counter, COUNT, Payload.NONE).request(counter))
                .thenAccept(done -> started.add(counter));
    return there
        .thenCompose(
            done ->
                workflows.update(
                    WorkflowId.of(counter),
                    request,
                    INCREMENT,
                    CODEC.write(request, String.class, "request")))
        .thenApply(
            outcome -> {
              if (outcome instanceof Outcome.Succeeded(Payload value)) return number(value);
              throw new IllegalStateException("a counter answered " + outcome);
            });
  }

  private static long number(Payload value) {
    return Long.parseLong(PayloadCodec.jsonOf(value));
  }

  private static void answer(String number, CompletionStage<Long> answer) {
    answer
        .toCompletableFuture()
        .orTimeout(ANSWER_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete(
            (value, failure) ->
                say(
                    value != null
                        ? number + " + " + value
                        : number + " - " + failure.getClass().getSimpleName()));
  }

  private long members() {
    long up = 0;
    for (Member member : Cluster.get(runtime.system()).state().getMembers()) {
      if (member.status().equals(MemberStatus.up())) up++;
    }
    return up;
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
