package dev.tenure.node.command.store;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.node.command.remote.Exit;
import dev.tenure.persistence.archive.ArchivePlace;
import dev.tenure.persistence.archive.Archiver;
import dev.tenure.persistence.postgres.PostgresStorage;
import java.time.InstantSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./tenure workflow archive}. */
@Command(
    name = "archive",
    description = {
      "Writes all that the store has of a workflow that has ended to a file or an S3 store.",
      "It can be shown, replayed and verified from there without a server."
    })
public final class ArchiveWorkflow extends StoreCommand {
  @Parameters(paramLabel = "ID", description = "The workflow.")
  private String id;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "PLACE",
      description = "A file, or s3://bucket/name with the variables AWS_….")
  private String out;

  @Mixin private StoreAccess store;

  @Override
  Exit run() {
    ArchivePlace place = ArchivePlace.parse(out, System.getenv(), InstantSource.system());
    try (PostgresStorage storage = store.open()) {
      Archiver.Archived archived =
          new Archiver(storage, storage.heads()).keep(id(id), place.archive(), place.name());
      ObjectNode node = JsonNodeFactory.instance.objectNode().put("workflow", id);
      node.put("commits", archived.commits()).put("payloads", archived.payloads());
      node.put("link", archived.link()).put("archive", out);
      output.say(
          node,
          "%d commits and %d payloads of %s in %s"
              .formatted(archived.commits(), archived.payloads(), id, out));
      return Exit.DONE;
    }
  }
}
