package dev.tenure.node.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tenure.node.TenureNode;
import dev.tenure.node.catalog.Catalog;
import dev.tenure.sharding.client.WorkflowFailedException;
import dev.tenure.sharding.client.WorkflowHandle;
import dev.tenure.sharding.workflow.StartRequest;
import dev.tenure.sharding.workflow.WorkflowError;
import dev.tenure.workflow.Payload;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A workflow that the command line starts once its node is ready, or goes on with. */
final class FirstStart {
  @Option(
      names = "--start",
      paramLabel = "WORKFLOW",
      required = true,
      description = "Start this workflow once the node is ready, unless it was started before.")
  private String type;

  @Option(names = "--id", paramLabel = "ID", description = "Its id (default: its name).")
  private Optional<String> id = Optional.empty();

  @Option(names = "--input", paramLabel = "JSON", description = "Its input, when it takes one.")
  private Optional<String> input = Optional.empty();

  @Spec private CommandSpec spec;

  /** Refuses what cannot be started, before anything else is. */
  void check(Catalog catalog) {
    if (catalog.newest(type).isEmpty())
      throw new ParameterException(
          spec.commandLine(),
          "--start: there is no workflow \"%s\"; this node has %s".formatted(type, catalog));
    if (input.isEmpty()) return;
    try {
      new ObjectMapper().readTree(input.get());
    } catch (JsonProcessingException e) {
      throw new ParameterException(
          spec.commandLine(), "--input is not JSON: " + e.getOriginalMessage());
    }
  }

  /** Starts it, and says how it came out; returns when it has ended. */
  void run(TenureNode node, PrintWriter out) {
    Payload payload =
        input.map(json -> Payload.of(json.getBytes(StandardCharsets.UTF_8))).orElse(Payload.NONE);
    StartRequest request = StartRequest.of(id.orElse(type), type, payload);
    WorkflowHandle<Object> workflow;
    try {
      workflow = node.workflows().start(request, Object.class);
      say(out, workflow + " was started");
    } catch (WorkflowError.AlreadyStarted taken) {
      workflow = node.workflows().handle(request.id().value(), Object.class);
      say(
          out,
          workflow + " was started before" + (taken.status().isFinal() ? "" : ", and goes on"));
    }
    try {
      say(out, "%s has completed: %s".formatted(workflow, workflow.result()));
    } catch (WorkflowFailedException e) {
      say(out, e.getMessage());
    }
  }

  private static void say(PrintWriter out, String line) {
    out.println(line);
    out.flush();
  }
}
