package dev.tenure.node.command.remote;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.client.SignalReceipt;
import dev.tenure.client.TenureClient;
import dev.tenure.client.WorkflowHandle;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "signal", description = "Hands a signal to a workflow, durably.")
final class SendSignal extends RemoteCommand {
  @Parameters(
      index = "0",
      paramLabel = "ID",
      description = "The workflow; - reads ids from standard input.")
  private String id;

  @Parameters(index = "1", paramLabel = "NAME", description = "Of the signal.")
  private String name;

  @Option(
      names = "--payload",
      paramLabel = "JSON",
      converter = Value.class,
      description = "What it says: JSON, or @FILE.")
  private JsonNode payload;

  @Option(
      names = "--signal-id",
      paramLabel = "ID",
      description = "The same signal under the same id is received once (default: made up).")
  private Optional<String> signalId = Optional.empty();

  @Override
  Exit run(TenureClient tenure) {
    return forEach(
        List.of(id),
        each -> {
          WorkflowHandle<JsonNode> workflow = tenure.workflow(each);
          SignalReceipt receipt =
              signalId.isPresent()
                  ? workflow.signal(name, payload, signalId.get())
                  : workflow.signal(name, payload);
          output.say(
              Value.JSON
                  .createObjectNode()
                  .put("accepted", true)
                  .put("workflowId", receipt.workflowId())
                  .put("signalName", receipt.signalName())
                  .put("signalId", receipt.signalId())
                  .put("acceptedAt", receipt.acceptedAt().toString())
                  .put("signalStorageKey", receipt.signalStorageKey()),
              "workflow \"%s\" has signal %s (signal id %s, accepted %s)"
                  .formatted(each, name, receipt.signalId(), receipt.acceptedAt()));
        });
  }

  @Override
  String keyOption() {
    return "--signal-id";
  }
}
