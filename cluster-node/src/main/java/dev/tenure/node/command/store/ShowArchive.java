package dev.tenure.node.command.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.node.command.remote.Exit;
import dev.tenure.persistence.archive.ArchivedHistory;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.sharding.history.EventText;
import dev.tenure.workflow.kernel.Event;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./tenure workflow show}. */
@Command(name = "show", description = "Shows what is in an archive, without values.")
public final class ShowArchive extends StoreCommand {
  @Option(
      names = "--archive",
      required = true,
      paramLabel = "PLACE",
      description = "A file, or s3://bucket/name with the variables AWS_….")
  private String archive;

  @Override
  Exit run() {
    ArchivedHistory archived = archived(archive);
    List<JournalEntry> entries = archived.entries();
    if (output.isJson()) {
      ObjectNode head =
          JsonNodeFactory.instance.objectNode().put("workflow", archived.id().value());
      head.set("row", archived.row());
      archived.definitions().forEach(head.withArray("/definitions")::add);
      output.line(head.toString());
      for (JournalEntry entry : entries) output.line(json(entry).toString());
      return Exit.DONE;
    }
    List<List<String>> fields = new ArrayList<>();
    archived
        .row()
        .properties()
        .forEach(field -> fields.add(List.of(field.getKey(), text(field.getValue()))));
    for (JsonNode definition : archived.definitions())
      fields.add(List.of("definition", definition.toString()));
    output.table(List.of("id", archived.id().value()), fields);
    output.line("");
    output.table(List.of("VERSION", "AT", "EVENT"), rows(entries));
    return Exit.DONE;
  }

  private static String text(JsonNode value) {
    return value.isTextual() ? value.textValue() : value.toString();
  }

  private static ObjectNode json(JournalEntry entry) {
    ObjectNode commit = JsonNodeFactory.instance.objectNode();
    commit.put("version", entry.head().version()).put("epoch", entry.fence().epoch());
    commit.put("link", entry.link().toString());
    for (Event event : entry.events())
      commit
          .withArray("/events")
          .addObject()
          .put("at", event.at().toString())
          .put("event", EventText.of(event));
    return commit;
  }

  private static List<List<String>> rows(List<JournalEntry> entries) {
    List<List<String>> rows = new ArrayList<>();
    for (JournalEntry entry : entries)
      for (Event event : entry.events())
        rows.add(
            List.of(
                Long.toString(entry.head().version()), event.at().toString(), EventText.of(event)));
    return rows;
  }
}
