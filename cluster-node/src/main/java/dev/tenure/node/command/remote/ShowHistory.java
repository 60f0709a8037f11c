package dev.tenure.node.command.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.client.Commit;
import dev.tenure.client.TenureClient;
import dev.tenure.sharding.history.History;
import dev.tenure.sharding.history.HistoryFile;
import dev.tenure.sharding.history.InvalidHistoryException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "history", description = "Shows what was committed, the oldest first.")
final class ShowHistory extends RemoteCommand {
  private static final int TABLE_ROWS = 200;

  @Parameters(paramLabel = "ID", description = "The workflow.")
  private String id;

  @Option(
      names = "--after",
      paramLabel = "VERSION",
      defaultValue = "0",
      description = "Only what was committed after this version.")
  private long after;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "0",
      description = "How many commits at most; 0 is all (default: ${DEFAULT-VALUE}).")
  private long limit;

  @Option(
      names = "--export",
      paramLabel = "FILE",
      description = "Write all of it to a file, for workflow replay and for tests.")
  private Path file;

  @Override
  Exit run(TenureClient tenure) {
    if (limit < 0 || after < 0) throw new CommandError("--limit and --after count from 0");
    if (file != null) return export(tenure);
    Stream<Commit> all = tenure.workflow(id).history(after);
    Stream<Commit> wanted = limit == 0 ? all : all.limit(limit);
    if (output.isJson()) {
      wanted.forEach(commit -> output.line(commit.document().toString()));
      return Exit.DONE;
    }
    List<List<String>> rows = new ArrayList<>();
    wanted.forEach(
        commit -> {
          for (Commit.Event event : commit.events()) rows.add(row(commit, event));
          if (rows.size() >= TABLE_ROWS) flush(rows);
        });
    flush(rows);
    return Exit.DONE;
  }

  private Exit export(TenureClient tenure) {
    if (limit > 0 || after > 0)
      throw new CommandError("--export takes the whole history: without --limit and --after");
    List<JsonNode> commits = tenure.workflow(id).storedHistory().map(Commit::document).toList();
    History history = read(commits);
    try {
      HistoryFile.write(history, file);
    } catch (UncheckedIOException e) {
      throw new CommandError(Exit.FAILED, "%s cannot be written: %s".formatted(file, e.getCause()));
    }
    ObjectNode said = JsonNodeFactory.instance.objectNode();
    said.put("workflowId", id).put("commits", commits.size()).put("file", file.toString());
    output.say(said, "%d commits of %s in %s".formatted(commits.size(), id, file));
    return Exit.DONE;
  }

  private History read(List<JsonNode> commits) {
    try {
      return HistoryFile.of(commits);
    } catch (InvalidHistoryException e) {
      throw new CommandError(
          Exit.FAILED, "the history of %s cannot be read: %s".formatted(id, e.getMessage()));
    }
  }

  private void flush(List<List<String>> rows) {
    if (rows.isEmpty()) return;
    output.table(List.of("VERSION", "AT", "EVENT", "WHAT"), rows);
    rows.clear();
  }

  private static List<String> row(Commit commit, Commit.Event event) {
    JsonNode rest = event.document().deepCopy();
    if (rest instanceof ObjectNode fields) fields.remove(List.of("type", "at"));
    return List.of(
        Long.toString(commit.version()),
        event.at().toString(),
        event.type(),
        rest.isEmpty() ? "" : rest.toString());
  }
}
