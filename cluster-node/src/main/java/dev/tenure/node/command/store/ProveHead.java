package dev.tenure.node.command.store;

import dev.tenure.node.command.remote.Exit;
import dev.tenure.persistence.proof.Checkpoint;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./tenure proof}. */
@Command(
    name = "proof",
    description = "Prints, as JSON, the proof that the head of a workflow is in a checkpoint.")
public final class ProveHead extends StoreCommand {
  @Parameters(paramLabel = "ID", description = "The workflow.")
  private String id;

  @Option(
      names = "--checkpoint",
      required = true,
      paramLabel = "FILE",
      description = "The checkpoint.")
  private Path checkpoint;

  @Override
  Exit run() {
    output.json();
    output.line(Checkpoint.prove(checkpoint, id(id)).json().toString());
    return Exit.DONE;
  }
}
