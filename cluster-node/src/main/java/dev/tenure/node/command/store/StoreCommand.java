package dev.tenure.node.command.store;

import dev.tenure.node.command.remote.Exit;
import dev.tenure.node.command.remote.Output;
import dev.tenure.persistence.archive.Archive;
import dev.tenure.persistence.archive.ArchiveError;
import dev.tenure.persistence.archive.ArchivePlace;
import dev.tenure.persistence.archive.ArchivedHistory;
import dev.tenure.persistence.proof.ProofError;
import dev.tenure.workflow.WorkflowId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that reads a store or a file: tells expected failures in their own words. */
@Command(mixinStandardHelpOptions = true)
abstract class StoreCommand implements Callable<Integer> {
  @Mixin Output output;
  @Spec CommandSpec spec;

  abstract Exit run();

  @Override
  public final Integer call() {
    try {
      return run().code();
    } catch (ArchiveError | ProofError e) {
      complain(e.getMessage());
      return Exit.FAILED.code();
    }
  }

  final void complain(String message) {
    spec.commandLine().getErr().println("tenure: " + Output.harmless(message));
    spec.commandLine().getErr().flush();
  }

  final WorkflowId id(String text) {
    try {
      return WorkflowId.of(text);
    } catch (IllegalArgumentException e) {
      throw usage(e.getMessage());
    }
  }

  final ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** The archive, which is copied here first when it is kept elsewhere. */
  static ArchivedHistory archived(String place) {
    ArchivePlace from = ArchivePlace.parse(place, System.getenv(), InstantSource.system());
    Path copy = null;
    try {
      copy = Files.createTempFile("tenure-", ".archive");
      Archive archive = from.archive();
      archive.fetch(from.name(), copy);
      return ArchivedHistory.read(copy);
    } catch (IOException e) {
      throw new ArchiveError("%s cannot be copied here: %s".formatted(place, e), e);
    } finally {
      if (copy != null) copy.toFile().delete();
    }
  }
}
