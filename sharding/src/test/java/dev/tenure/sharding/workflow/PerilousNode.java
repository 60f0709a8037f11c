package dev.tenure.sharding.workflow;

import com.typesafe.config.ConfigFactory;
import dev.tenure.persistence.merging.PipelineSettings;
import dev.tenure.persistence.postgres.PostgresStorage;
import dev.tenure.persistence.storage.CheckpointOwnership;
import dev.tenure.persistence.storage.StoreIdentity;
import dev.tenure.persistence.storage.TestDatabase;
import dev.tenure.sharding.cluster.ClusterRuntime;
import dev.tenure.sharding.cluster.ClusterSettings;
import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.node.WorkflowNode;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowRegistration;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A node of workflows in a process of its own, one kind of which ends the process. It reads one
 * request per line, {@code <number> start <type> <id> [<input>]} or {@code <number> resolve <id>},
 * and answers {@code <number> + 1} or {@code <number> - <reason>}. It ends with its input.
 */
public final class PerilousNode {
  private static final int HOARDED_BYTES = 16 * 1024 * 1024;

  /** Takes all memory there is, until there is a file of that name. */
  @Workflow(name = "bomb")
  public static class Bomb {
    public String run(WorkflowContext ctx, String defused) {
      int before = ctx.step("light", () -> 1);
      return ctx.step(
          "boom",
          () -> {
            if (!Files.exists(Path.of(defused))) hoard();
            return "defused " + before;
          });
    }
  }

  /** Ends the process, which was told to end when it has no memory left, as ./tenure does. */
  private static void hoard() {
    List<byte[]> all = new ArrayList<>();
    while (true) all.add(new byte[HOARDED_BYTES]);
  }

  /** Makes progress all the time. */
  @Workflow(name = "healthy")
  public static class Healthy {
    public int run(WorkflowContext ctx) {
      int sum = 0;
      for (int i = 0; i < 20; i++) sum += ctx.step("short", () -> work(Duration.ofMillis(50)));
      return sum;
    }
  }

  /** Makes no progress for longer than nodes live beside a bomb. */
  @Workflow(name = "patient")
  public static class Patient {
    public int run(WorkflowContext ctx) {
      return ctx.step("long", () -> work(Duration.ofSeconds(12)));
    }
  }

  private static int work(Duration time) {
    Await.pass(time);
    return 1;
  }

  private PerilousNode() {}

  /** {@code PerilousNode <port> <database url> <shards>}. */
  public static void main(String[] args) throws IOException {
    PostgresStorage storage = PostgresStorage.open(TestDatabase.settings(args[1]));
    ClusterRuntime runtime =
        ClusterRuntime.start(
            ClusterSettings.node(
                    "127.0.0.1",
                    Integer.parseInt(args[0]),
                    new StoreIdentity(CheckpointOwnership.CAS_REQUIRED, Integer.parseInt(args[2])))
                .withTimes(Duration.ofMillis(500), Duration.ofSeconds(3)),
            storage,
            PipelineSettings.DEFAULT,
            InstantSource.system(),
            ConfigFactory.empty());
    WorkflowNode node =
        WorkflowNode.start(
            runtime,
            WorkflowSettings.of(
                InstantSource.system(),
                () -> ThreadLocalRandom.current().nextLong(),
                () -> UUID.randomUUID().toString()),
            List.of(
                WorkflowRegistration.of(Bomb.class, Bomb::new),
                WorkflowRegistration.of(Healthy.class, Healthy::new),
                WorkflowRegistration.of(Patient.class, Patient::new)),
            List.of());
    runtime.up().thenAccept(done -> say("up"));
    serve(node.workflows());
    Runtime.getRuntime().halt(3); // the test that started this process is gone
  }

  private static void serve(Workflows workflows) throws IOException {
    BufferedReader requests =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      String[] words = line.split(" ");
      switch (words[1]) {
        case "start" ->
            answer(
                words[0],
                workflows.start(
                    StartRequest.of(
                            words[3], words[2], TestNode.json(words.length > 4 ? words[4] : null))
                        .request("start " + words[3])));
        case "resolve" ->
            answer(words[0], workflows.resolveIncident(WorkflowId.of(words[2]), "defused"));
        case "terminate" ->
            answer(words[0], workflows.terminate(WorkflowId.of(words[2]), "enough"));
        default -> say(words[0] + " - unknown");
      }
    }
  }

  private static void answer(String number, CompletionStage<?> answer) {
    answer.whenComplete(
        (value, failure) ->
            say(failure == null ? number + " + 1" : number + " - " + failure.getMessage()));
  }

  private static synchronized void say(String line) {
    System.out.println(line.replace('\n', ' '));
    System.out.flush();
  }
}
