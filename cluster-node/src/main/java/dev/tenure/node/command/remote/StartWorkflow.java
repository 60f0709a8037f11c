package dev.tenure.node.command.remote;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.client.StartPolicy;
import dev.tenure.client.StartRequest;
import dev.tenure.client.TenureClient;
import dev.tenure.client.WorkflowHandle;
import dev.tenure.client.WorkflowType;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

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
      description = "The version of its code (default: its owner decides).")
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

  @Option(
      names = "--if-taken",
      paramLabel = "POLICY",
      converter = PolicyName.class,
      description = {
        "When the id is taken: reject-duplicate refuses the start (default),",
        "allow-if-closed begins a new run if the workflow has ended,",
        "terminate-if-running ends it first if it runs."
      })
  private StartPolicy policy = StartPolicy.REJECT_DUPLICATE;

  /** By the words of the API. */
  static final class PolicyName implements ITypeConverter<StartPolicy> {
    @Override
    public StartPolicy convert(String word) {
      for (StartPolicy one : StartPolicy.values()) if (one.word().equals(word)) return one;
      throw new TypeConversionException(
          "\"%s\" is none of %s"
              .formatted(
                  word, Arrays.stream(StartPolicy.values()).map(StartPolicy::word).toList()));
    }
  }

  @Option(names = "--wait", description = "Wait for its end, and print its result.")
  private boolean wait;

  @Override
  Exit run(TenureClient tenure) {
    WorkflowType<JsonNode, JsonNode> named = WorkflowType.of(type, JsonNode.class, JsonNode.class);
    if (version.isPresent()) named = named.version(version.get());
    StartRequest<JsonNode, JsonNode> request = named.request(input);
    if (id.isPresent()) request = request.id(id.get());
    if (key.isPresent()) request = request.idempotencyKey(key.get());
    request = request.ifTaken(policy);
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
