package dev.tenure.node.command.remote;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.client.StartRequest;
import dev.tenure.client.TenureClient;
import dev.tenure.client.WorkflowHandle;
import dev.tenure.client.WorkflowType;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "start", description = "Starts a workflow, once.")
final class StartWorkflow extends RemoteCommand {
  @Parameters(paramLabel = "TYPE", description = "The name of the workflow's code.")
  private String type;

  @Option(names = "--id", paramLabel = "ID", description = "Its id (default: made up).")
  private Optional<String> id = Optional.empty();

  @Option(
      names = "--input",
      paramLabel = "JSON",
      converter = Value.class,
      description = "Its input: JSON, or @FILE.")
  private JsonNode input;

  @Option(
      names = "--type-version",
      paramLabel = "N",
      description = "The version of its code (default: the newest).")
  private Optional<Integer> version = Optional.empty();

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = "The same start under the same key is done once, however often it is given.")
  private Optional<String> key = Optional.empty();

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = Span.class,
      description = "After which it is timed out, like 24h.")
  private Duration timeout;

  @Option(
      names = "--attribute",
      paramLabel = "NAME=VALUE",
      description = "What it can be found by; may be given several times.")
  private Map<String, String> attributes = new LinkedHashMap<>();

  @Option(names = "--wait", description = "Wait for its end, and print its result.")
  private boolean wait;

  @Override
  Exit run(TenureClient tenure) {
    WorkflowType<JsonNode, JsonNode> named = WorkflowType.of(type, JsonNode.class, JsonNode.class);
    if (version.isPresent()) named = named.version(version.get());
    StartRequest<JsonNode, JsonNode> request = named.request(input);
    if (id.isPresent()) request = request.id(id.get());
    if (key.isPresent()) request = request.idempotencyKey(key.get());
    if (timeout != null) request = request.executionTimeout(timeout);
    for (var each : attributes.entrySet()) {
      request = request.attribute(each.getKey(), Value.attribute(each.getValue()));
    }
    WorkflowHandle<JsonNode> started = tenure.start(request);
    if (wait) return AwaitResult.untilItEnds(output, started);
    output.say(Value.JSON.createObjectNode().put("workflowId", started.id()), started.id());
    return Exit.DONE;
  }

  @Override
  String keyOption() {
    return "--key";
  }
}
