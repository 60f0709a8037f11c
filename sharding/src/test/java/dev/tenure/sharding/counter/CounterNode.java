package dev.tenure.sharding.counter;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.tenure.persistence.commit.PipelineSettings;
import dev.tenure.persistence.storage.CheckpointOwnership;
import dev.tenure.persistence.storage.PostgresStorage;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.persistence.storage.StoreIdentity;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.cluster.ClusterRuntime;
import dev.tenure.sharding.cluster.ClusterSettings;
import dev.tenure.sharding.lease.Tenures;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.sharding.typed.ShardingEnvelope;

/**
 * A node of counters in a process of its own. It reads one request per line from its standard
 * input, {@code <number> <verb> [<counter>]}, and writes one answer per line: {@code <number> +
 * <value>} or {@code <number> - <reason>}, in any order. It ends with its input.
 */
public final class CounterNode {
  private static final Duration ANSWER_LIMIT = Duration.ofMillis(1500);

  private final ClusterRuntime runtime;
  private final ActorRef<ShardingEnvelope<Counter.Command>> counters;

  private CounterNode(ClusterRuntime runtime, int shards) {
    this.runtime = runtime;
    this.counters = runtime.shard(Counter.entity(shards));
  }

  /** {@code CounterNode <port> <database url> <shards> [unfenced] [trusting]}. */
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
                trusting ? Duration.ofSeconds(30) : Duration.ofMillis(500),
                trusting ? Duration.ofMinutes(3) : Duration.ofSeconds(5));
    Config leases =
        ConfigFactory.parseString(
            trusting
                ? "tenure.shard-lease { time-to-live = 1h, renew-every = 15m }"
                : "tenure.shard-lease {}");
    ClusterRuntime runtime =
        start(settings, storage, leases.withFallback(ConfigFactory.parseResources("counter.conf")));
    CounterNode node = new CounterNode(runtime, shards);
    runtime.up().thenAccept(done -> say("up"));
    node.serve();
    Runtime.getRuntime().halt(3); // the test that started this process is gone
  }

  /** A node with the usual pipeline and the system's clock. */
  static ClusterRuntime start(ClusterSettings settings, Storage storage, Config configured) {
    return ClusterRuntime.start(
        settings, storage, PipelineSettings.DEFAULT, InstantSource.system(), configured);
  }

  private void serve() throws IOException {
    BufferedReader requests =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      String[] words = line.split(" ");
      String number = words[0];
      switch (words[1]) {
        case "inc" ->
            answer(
                number, ask(words[2], replyTo -> new Counter.Command.Increment(words[3], replyTo)));
        case "get" -> answer(number, ask(words[2], Counter.Command.Get::new));
        case "members" -> say(number + " + " + members());
        case "held" -> say(number + " + " + Tenures.of(runtime.system()).held());
        case "running" -> say(number + " + " + Counter.RUNNING.get());
        case "stop" -> runtime.stop();
        default -> say(number + " - unknown");
      }
    }
  }

  private CompletionStage<Counter.Value> ask(
      String counter,
      java.util.function.Function<ActorRef<Counter.Value>, Counter.Command> command) {
    return AskPattern.ask(
        counters,
        replyTo -> new ShardingEnvelope<>(counter, command.apply(replyTo)),
        ANSWER_LIMIT,
        runtime.system().scheduler());
  }

  private static void answer(String number, CompletionStage<Counter.Value> answer) {
    answer.whenComplete(
        (value, failure) ->
            say(
                value != null
                    ? number + " + " + value.value()
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
