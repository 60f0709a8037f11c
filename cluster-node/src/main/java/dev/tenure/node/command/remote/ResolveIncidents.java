package dev.tenure.node.command.remote;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tenure.client.AttemptRef;
import dev.tenure.client.BulkProgress;
import dev.tenure.client.BulkProposal;
import dev.tenure.client.Incident;
import dev.tenure.client.IncidentFilter;
import dev.tenure.client.Remedy;
import dev.tenure.client.StatedFailure;
import dev.tenure.client.TenureClient;
import dev.tenure.client.WorkflowHandle;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "resolve",
    description = {
      "Says that what raised incidents is mended; the workflows go on.",
      "Without ids it counts those that match, and prints what confirms that."
    })
final class ResolveIncidents extends RemoteCommand {
  private static final long LOOK_EVERY_MILLIS = 500;

  /** The words of {@code --do}. */
  enum Do {
    verify,
    retry,
    fail,
    complete
  }

  @Parameters(
      paramLabel = "ID",
      arity = "0..*",
      description = "The workflows; - reads ids from standard input.")
  private List<String> ids = List.of();

  @Mixin private IncidentCommand.Which which;

  @Option(names = "--all", description = "All of them.")
  private boolean all;

  @Option(
      names = "--note",
      paramLabel = "TEXT",
      description = "What was done; it stands in the history.")
  private Optional<String> note = Optional.empty();

  @Option(
      names = "--do",
      paramLabel = "WHAT",
      defaultValue = "verify",
      description =
          "What is done about activities whose outcome cannot be told: ${COMPLETION-CANDIDATES}"
              + " (default: ${DEFAULT-VALUE}). All but verify are for such incidents alone.")
  private Do what;

  @Mixin private Conclusion conclusion;

  @Option(
      names = "--confirm",
      paramLabel = "CONFIRMATION",
      description = "Resolve those that were counted, and wait until that is done.")
  private Optional<String> confirmation = Optional.empty();

  @Override
  Exit run(TenureClient tenure) {
    boolean some = !which.filter().equals(IncidentFilter.ALL);
    int said = (ids.isEmpty() ? 0 : 1) + (some || all ? 1 : 0) + (confirmation.isPresent() ? 1 : 0);
    if (said != 1 || some && all)
      throw new CommandError(
          "say which: ids, or some of --kind, --type and --cause, or --all, or --confirm");
    if (confirmation.isPresent()) return carriedOut(tenure, confirmation.get());
    String why = note.orElseThrow(() -> new CommandError("--note says what was done"));
    Remedy remedy = remedy();
    if (ids.isEmpty()) return counted(tenure, remedy, why);
    return forEach(
        ids,
        id -> {
          boolean applied = resolve(tenure.workflow(id), remedy, why);
          output.say(
              Value.JSON.createObjectNode().put("workflowId", id).put("applied", applied),
              "workflow \"%s\" %s".formatted(id, applied ? "goes on" : "has no incident"));
        });
  }

  private Remedy remedy() {
    if (what != Do.complete && what != Do.fail && conclusion.isGiven())
      throw new CommandError("--result is for --do complete, --failure for --do fail");
    return switch (what) {
      case verify -> Remedy.verifyAgain();
      case retry -> Remedy.retry();
      case complete -> {
        if (!conclusion.isResult()) throw new CommandError("--do complete takes a --result");
        yield Remedy.complete(conclusion.result());
      }
      case fail -> {
        if (!conclusion.isFailure())
          throw new CommandError(
              "--do fail takes a --failure, with --message, --code and --no-effect");
        yield Remedy.fail(conclusion.failure());
      }
    };
  }

  /** False when the workflow has no incident. */
  private boolean resolve(WorkflowHandle<JsonNode> workflow, Remedy remedy, String why) {
    if (remedy instanceof Remedy.VerifyAgain) return workflow.resolveIncident(why);
    Optional<Incident> incident = workflow.incident();
    if (incident.isEmpty()) return false;
    String operation = operation(incident.get());
    AttemptRef meant = seen(workflow, incident.get(), operation);
    return switch (remedy) {
      case Remedy.VerifyAgain() -> workflow.activities().verifyAgain(operation, why);
      case Remedy.Retry() -> workflow.retryStep(meant, why);
      case Remedy.Complete(Object result) -> workflow.activities().complete(meant, result, why);
      case Remedy.Fail(StatedFailure failure) -> workflow.activities().fail(meant, failure, why);
    };
  }

  /** The attempt that stands there with the incident: what comes later is not meant. */
  private static AttemptRef seen(
      WorkflowHandle<JsonNode> workflow, Incident incident, String operation) {
    AttemptRef ofRun = AttemptRef.of(operation).run(incident.runId());
    return workflow.describe().open().stream()
        .filter(open -> open.id().equals(operation))
        .findFirst()
        .map(open -> ofRun.attempt(open.attempt()))
        .orElse(ofRun);
  }

  private String operation(Incident incident) {
    return incident
        .operation()
        .filter(operation -> incident.kind().equals(Incident.ACTIVITY_INDETERMINATE))
        .orElseThrow(
            () ->
                new CommandError(
                    Exit.CONFLICT,
                    "workflow \"%s\" has an incident of kind %s: --do %s is for %s"
                        .formatted(
                            incident.workflowId(),
                            incident.kind(),
                            what,
                            Incident.ACTIVITY_INDETERMINATE)));
  }

  private Exit counted(TenureClient tenure, Remedy remedy, String why) {
    BulkProposal proposal = tenure.incidents().proposeResolution(which.filter(), remedy, why);
    output.say(
        proposal.document(),
        "%s%d incidents match. Nothing was done; within ten minutes, this resolves them:%n%s"
            .formatted(
                proposal.countIsComplete() ? "" : "More than ",
                proposal.count(),
                "tenure incident resolve --confirm " + proposal.confirmation()));
    return Exit.DONE;
  }

  private Exit carriedOut(TenureClient tenure, String confirmed) {
    if (what != Do.verify || conclusion.isGiven())
      throw new CommandError("--do belongs to the command that counts");
    BulkProgress progress = tenure.incidents().confirm(confirmed);
    while (!progress.finished()) {
      pause();
      progress = tenure.incidents().progress(progress.bulkId());
    }
    output.say(
        progress.document(),
        "%d resolved, %d had been before, %d stand still as before"
            .formatted(progress.applied(), progress.unchanged(), progress.failed()));
    progress.lastFailure().ifPresent(this::complain);
    return progress.failed() == 0 ? Exit.DONE : Exit.CONFLICT;
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandError(Exit.UNKNOWN, "interrupted; what was confirmed goes on by itself");
    }
  }
}
