package dev.tenure.node.command.remote;

import dev.tenure.client.NodeSummary;
import dev.tenure.client.TenureClient;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code ./tenure node list}: the nodes of a cluster that is running. */
@Command(name = "list", description = "Lists the nodes of the cluster that a server belongs to.")
public final class ListNodes extends RemoteCommand {
  @Override
  Exit run(TenureClient tenure) {
    List<NodeSummary> nodes = tenure.nodes();
    if (output.isJson()) {
      nodes.forEach(node -> output.line(node.document().toString()));
      return Exit.DONE;
    }
    output.table(
        List.of("NODE", "STATUS", "REACHABLE", "SHARDS", "ENGINE", "READS", "CLOCK", ""),
        nodes.stream()
            .map(
                node ->
                    List.of(
                        node.node(),
                        node.status(),
                        node.reachable() ? "yes" : "no",
                        Long.toString(node.shards()),
                        node.engine().orElse(""),
                        node.reads().map(level -> Integer.toString(level)).orElse(""),
                        node.clockAhead().map(ListNodes::shown).orElse(""),
                        (node.leader() ? "leader " : "") + (node.self() ? "answers" : "")))
            .toList());
    return Exit.DONE;
  }

  /** With its sign, because ahead is what is counted. */
  private static String shown(Duration ahead) {
    return "%+d ms".formatted(ahead.toMillis());
  }
}
