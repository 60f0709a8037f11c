package dev.tenure.node.command.remote;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.client.TenureClient;
import dev.tenure.client.WorkflowHandle;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "update",
    description = "Has a workflow's code change something, once, and prints its answer.")
final class SendUpdate extends RemoteCommand {
  @Parameters(
      index = "0",
      paramLabel = "ID",
      description = "The workflow; - reads ids from standard input.")
  private String id;

  @Parameters(index = "1", paramLabel = "NAME", description = "Of the update.")
  private String name;

  @Option(
      names = "--payload",
      paramLabel = "JSON",
      converter = Value.class,
      description = "What to change: JSON, or @FILE.")
  private JsonNode payload;

  @Option(
      names = "--update-id",
      paramLabel = "ID",
      description = "The same update under the same id is carried out once (default: made up).")
  private Optional<String> updateId = Optional.empty();

  @Override
  Exit run(TenureClient tenure) {
    return forEach(
        List.of(id),
        each -> {
          WorkflowHandle<JsonNode> workflow = tenure.workflow(each);
          JsonNode answer =
              updateId.isPresent()
                  ? workflow.update(updateId.get(), name, payload, JsonNode.class)
                  : workflow.update(name, payload, JsonNode.class);
          output.line(String.valueOf(answer));
        });
  }

  @Override
  String keyOption() {
    return "--update-id";
  }
}
