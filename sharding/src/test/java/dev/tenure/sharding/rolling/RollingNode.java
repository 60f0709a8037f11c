package dev.tenure.sharding.rolling;

import dev.tenure.persistence.format.EngineBuild;
import dev.tenure.persistence.format.EngineTooOldError;
import dev.tenure.sharding.cluster.ClusterRuntime;
import dev.tenure.sharding.host.WorkflowSettings;
import dev.tenure.sharding.node.WorkflowNode;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.sharding.process.OwnProcess;
import dev.tenure.sharding.workflow.StartRequest;
import dev.tenure.sharding.workflow.Workflows;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowRegistration;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A node of some build in a process of its own. Another build's test speaks to it, so its requests
 * never change: one per line, {@code <number> <order> <workflow id>}, answered with {@code <number>
 * + <value>} or {@code <number> - <why>}. It ends with its input.
 */
public final class RollingNode {
  /** Exit code of a node that the store is too new for. */
  static final int TOO_OLD = 4;

  private static final PayloadCodec CODEC = PayloadCodec.standard();
  private static final Duration RESULT_LIMIT = Duration.ofSeconds(50);

  /** A step, a signal, a step: its code may not change, because builds share its histories. */
  @Workflow(name = "rolling")
  public static final class Rolling {
    public Integer run(WorkflowContext ctx) {
      int first = ctx.step("first", () -> 1);
      int told = ctx.awaitSignal("go", Integer.class);
      int child = ctx.step("last", () -> 10);
      return first + told + child;
    }
  }

  private final ClusterRuntime runtime;
  private final Workflows workflows;

  private RollingNode(ClusterRuntime runtime) {
    this.runtime = runtime;
    this.workflows =
        WorkflowNode.start(
                runtime,
                WorkflowSettings.of(
                    runtime.clock(),
                    () -> ThreadLocalRandom.current().nextLong(),
                    () -> UUID.randomUUID().toString()),
                List.of(WorkflowRegistration.of(Rolling.class, Rolling::new)),
                List.of())
            .workflows();
  }

  /** {@code RollingNode <database url>}. */
  public static void main(String[] args) throws IOException {
    try {
      ClusterRuntime runtime = OwnProcess.runtime(args[0]);
      RollingNode node = new RollingNode(runtime);
      runtime.up().thenAccept(done -> say("up"));
      node.serve();
    } catch (EngineTooOldError refused) {
      System.err.println(refused.getMessage());
      Runtime.getRuntime().halt(TOO_OLD);
    }
    Runtime.getRuntime().halt(3); // the test that started this process is gone
  }

  private void serve() throws IOException {
    BufferedReader requests =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      String[] words = line.split(" ");
      switch (words[1]) {
        case "start" ->
            answer(words[0], workflows.start(StartRequest.of(words[2], "rolling", Payload.NONE)));
        case "signal" ->
            answer(
                words[0],
                workflows.signal(
                    WorkflowId.of(words[2]),
                    "go",
                    CODEC.write(100, Integer.class, "the test's value"),
                    Optional.empty()));
        case "pause" -> answer(words[0], workflows.pause(WorkflowId.of(words[2]), "a look"));
        case "resume" -> answer(words[0], workflows.resume(WorkflowId.of(words[2])));
        case "ends" ->
            answer(
                words[0],
                workflows
                    .result(WorkflowId.of(words[2]), RESULT_LIMIT)
                    .thenApply(
                        ended -> ended.orElseThrow(() -> new IllegalStateException("it goes on"))));
        case "reads" -> say(words[0] + " + " + EngineBuild.CURRENT.reads());
        case "writes" -> say(words[0] + " + " + EngineBuild.CURRENT.writes());
        case "stop" -> runtime.stop();
        default -> say(words[0] + " - unknown");
      }
    }
  }

  private static void answer(String number, CompletionStage<?> done) {
    done.whenComplete(
        (value, failure) ->
            say(number + (failure == null ? " + 1" : " - " + failure.getMessage())));
  }

  private static synchronized void say(String line) {
    System.out.println(line.replace('\n', ' '));
    System.out.flush();
  }
}
