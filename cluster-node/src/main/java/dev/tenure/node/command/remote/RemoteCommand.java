package dev.tenure.node.command.remote;

import dev.tenure.client.TenureClient;
import dev.tenure.client.TenureException;
import dev.tenure.client.WorkflowFailedException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * A command that calls a server: opens a client, and reports the outcome in words and an exit code.
 */
@Command(mixinStandardHelpOptions = true)
abstract class RemoteCommand implements Callable<Integer> {
  @Mixin private Remote remote;
  @Mixin Output output;
  @Spec CommandSpec spec;

  /** Does it; throws what says why it could not. */
  abstract Exit run(TenureClient tenure);

  @Override
  public final Integer call() {
    try (TenureClient tenure = remote.open()) {
      return run(tenure).code();
    } catch (RuntimeException e) {
      return told(e).code();
    }
  }

  /** All of them are tried; what it ends with is what the first failed with. */
  final Exit forEach(List<String> given, Consumer<String> action) {
    Exit first = Exit.DONE;
    for (String id : Ids.of(given)) {
      Exit exit = Exit.DONE;
      try {
        action.accept(id);
      } catch (RuntimeException e) {
        exit = told(e);
      }
      if (first == Exit.DONE) first = exit;
    }
    return first;
  }

  /** Expected failures are told in their own words; anything else is a defect, and thrown on. */
  private Exit told(RuntimeException failure) {
    return switch (failure) {
      case TenureException e -> {
        complain(e.getMessage());
        if (e instanceof TenureException.OutcomeUnknown unknown) complain(advice(unknown));
        yield Exit.of(e);
      }
      case WorkflowFailedException e -> {
        complain(e.getMessage());
        yield Exit.NO_SUCCESS;
      }
      case CommandError e -> {
        complain(e.getMessage());
        yield e.exit();
      }
      // An id that cannot be one, a value that cannot be sent.
      case IllegalArgumentException e -> {
        complain(e.getMessage());
        yield Exit.USAGE;
      }
      default -> throw failure;
    };
  }

  /** The option under which this command can be given once more and acts once. */
  String keyOption() {
    return "";
  }

  private String advice(TenureException.OutcomeUnknown unknown) {
    return unknown
        .key()
        .filter(key -> !keyOption().isEmpty())
        .map(
            key ->
                "Give the command again with %s %s: it is done once.".formatted(keyOption(), key))
        .orElse("See how the workflow stands (workflow describe) before you give it again.");
  }

  final void complain(String message) {
    spec.commandLine().getErr().println("tenure: " + Output.harmless(message));
    spec.commandLine().getErr().flush();
  }
}
