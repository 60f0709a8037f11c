package dev.tenure.node.command.remote;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.client.TenureClient;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "query", description = "Asks a workflow's code, and changes nothing.")
final class AskQuery extends RemoteCommand {
  @Parameters(
      index = "0",
      paramLabel = "ID",
      description = "The workflow; - reads ids from standard input.")
  private String id;

  @Parameters(index = "1", paramLabel = "NAME", description = "Of the query.")
  private String name;

  @Option(
      names = "--input",
      paramLabel = "JSON",
      converter = Value.class,
      description = "What is asked: JSON, or @FILE.")
  private JsonNode input;

  @Override
  Exit run(TenureClient tenure) {
    return forEach(
        List.of(id),
        each ->
            output.line(String.valueOf(tenure.workflow(each).query(name, input, JsonNode.class))));
  }
}
