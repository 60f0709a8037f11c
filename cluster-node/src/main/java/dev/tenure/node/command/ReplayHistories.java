package dev.tenure.node.command;

import dev.tenure.node.catalog.Catalog;
import dev.tenure.node.catalog.Registrations;
import dev.tenure.persistence.archive.ArchivedHistory;
import dev.tenure.sharding.code.WorkflowTypes;
import dev.tenure.sharding.history.History;
import dev.tenure.sharding.history.HistoryFile;
import dev.tenure.sharding.history.Replayer;
import dev.tenure.sharding.payload.PayloadCodec;
import dev.tenure.workflow.WorkflowRegistration;
import dev.tenure.workflow.WorkflowType;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./tenure workflow replay}: whether runs of the past fit the code in a JAR. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    description = "Replays exported histories and archives against the workflows of a JAR.")
public final class ReplayHistories implements Callable<Integer> {
  @Option(
      names = "--jar",
      required = true,
      paramLabel = "JAR",
      description = "What names its workflows in a WorkflowModule, with what it needs beside it.")
  private List<Path> jars;

  @Parameters(
      arity = "1..*",
      paramLabel = "HISTORY",
      description = "Exported histories, or archives.")
  private List<Path> files;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    URL[] urls = new URL[jars.size()];
    for (int i = 0; i < urls.length; i++) urls[i] = jars.get(i).toUri().toURL();
    try (URLClassLoader loader = new URLClassLoader(urls, getClass().getClassLoader())) {
      Catalog catalog = new Registrations().modulesOf(loader).catalog();
      WorkflowTypes types = new WorkflowTypes(catalog.workflows());
      PayloadCodec codec = catalog.encrypted(PayloadCodec.standard());
      int unfit = 0;
      for (Path file : files) if (!fits(file, types, codec)) unfit++;
      PrintWriter out = spec.commandLine().getOut();
      out.printf("%d of %d histories fit%n", files.size() - unfit, files.size());
      out.flush();
      return unfit == 0 ? ExitCodes.STOPPED : ExitCodes.FAILED;
    }
  }

  private static History read(Path file) throws IOException {
    return ArchivedHistory.isArchive(file)
        ? new History(ArchivedHistory.read(file).entries())
        : HistoryFile.read(file);
  }

  private boolean fits(Path file, WorkflowTypes types, PayloadCodec codec) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    History history = read(file);
    WorkflowType type = history.type();
    Optional<WorkflowRegistration<?>> code =
        types.find(type).or(() -> types.newest(type.name()).flatMap(types::find));
    if (code.isEmpty()) {
      out.printf("%s: no code of %s in the JAR%n", file, type);
      return false;
    }
    return switch (Replayer.replay(history, code.get(), codec)) {
      case Replayer.Verdict.Fits fits -> {
        out.printf("%s: fits %s%n", file, code.get().type());
        yield true;
      }
      case Replayer.Verdict.Drifted(String message) -> {
        out.printf("%s: does not fit%n%s%n", file, message);
        yield false;
      }
      case Replayer.Verdict.Failed(String message) -> {
        out.printf("%s: %s%n", file, message);
        yield false;
      }
    };
  }
}
