package dev.tenure.node.command.store;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tenure.node.command.remote.Exit;
import dev.tenure.node.command.remote.Output;
import dev.tenure.persistence.archive.ArchivedHistory;
import dev.tenure.persistence.postgres.PostgresStorage;
import dev.tenure.persistence.proof.Anchor;
import dev.tenure.persistence.proof.Checkpoint;
import dev.tenure.persistence.proof.CheckpointHead;
import dev.tenure.persistence.proof.CheckpointKey;
import dev.tenure.persistence.proof.Finding;
import dev.tenure.persistence.proof.HistoryVerification;
import dev.tenure.persistence.proof.InclusionProof;
import dev.tenure.persistence.proof.KnownHeads;
import dev.tenure.persistence.proof.SignedRoot;
import dev.tenure.persistence.proof.StoreVerification;
import dev.tenure.persistence.proof.Verified;
import dev.tenure.workflow.WorkflowId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./tenure verify}: whether histories are what was committed. */
@Command(
    name = "verify",
    description = {
      "Compares histories with their chains, and names the first commit that does not fit.",
      "Ends with 0 when all fit, and with 1 when one does not."
    })
public final class VerifyStore extends StoreCommand {
  private static final Duration TELL_EVERY = Duration.ofSeconds(2);

  @Parameters(paramLabel = "ID", arity = "0..1", description = "The workflow.")
  private Optional<String> id = Optional.empty();

  @Option(names = "--all", description = "All workflows of the store.")
  private boolean all;

  @Option(
      names = "--after",
      paramLabel = "ID",
      defaultValue = "",
      description = "With --all: only what comes behind it, as the progress on stderr says it.")
  private String after;

  @Option(
      names = "--connections",
      paramLabel = "N",
      defaultValue = "3",
      description = "With --all: how many to the database (default: ${DEFAULT-VALUE}).")
  private int connections;

  @Option(
      names = "--archive",
      paramLabel = "PLACE",
      description = "An archive: a file, or s3://bucket/name.")
  private Optional<String> archive = Optional.empty();

  @Option(
      names = "--checkpoint",
      paramLabel = "FILE",
      description = "With --all: what has to be there at least.")
  private Optional<Path> checkpoint = Optional.empty();

  @Option(
      names = "--proof",
      paramLabel = "FILE",
      description = "That a head is in a checkpoint; with ID or --archive: that it is their head.")
  private Optional<Path> proof = Optional.empty();

  @Option(
      names = "--public-key",
      paramLabel = "FILE",
      description = "Whose signature the checkpoint must have, as PEM.")
  private Optional<Path> publicKey = Optional.empty();

  @Option(names = "--json", description = "The same as -o json.")
  private boolean json;

  @Mixin private StoreAccess store;

  /** When progress was told last. */
  private long toldAt = System.nanoTime();

  @Override
  Exit run() {
    if (json) output.json();
    int whats = (all ? 1 : 0) + (id.isPresent() ? 1 : 0) + (archive.isPresent() ? 1 : 0);
    if (whats > 1 || whats == 0 && proof.isEmpty())
      throw usage("what is to be verified: an ID, --all, --archive or --proof");
    if (checkpoint.isPresent() && !all) throw usage("--checkpoint goes with --all");
    if (proof.isPresent() && all) throw usage("--proof goes with an ID or --archive");
    if (connections < 1 || connections > 64) throw usage("--connections: choose from 1 to 64");
    if (all) return all();
    Optional<ArchivedHistory> archived = archive.map(StoreCommand::archived);
    Optional<WorkflowId> of = archived.map(ArchivedHistory::id).or(() -> id.map(this::id));
    List<Anchor> known = proof.map(file -> proven(file, of)).map(List::of).orElse(List.of());
    if (archived.isPresent()) return say(archived.get().verify(known));
    return of.isPresent() ? one(of.get(), known) : Exit.DONE;
  }

  private Anchor proven(Path file, Optional<WorkflowId> of) {
    InclusionProof read = InclusionProof.read(file);
    CheckpointHead head = read.head();
    SignedRoot signed = read.checkpoint();
    if (of.isPresent() && !of.get().equals(head.id()))
      throw usage("the proof is of workflow \"%s\"".formatted(head.id()));
    read.verify();
    requireKey(signed);
    ObjectNode node = object().put("workflow", head.id().value());
    node.put("version", head.version()).put("link", head.link().toString());
    node.put("createdAt", signed.createdAt()).put("key", signed.keyText());
    output.say(
        node,
        "%s: version %d was its head on %s, signed with the key %s"
            .formatted(head.id(), head.version(), signed.createdAt(), signed.keyText()));
    return head.anchor();
  }

  private void requireKey(SignedRoot signed) {
    publicKey.map(CheckpointKey::readPublic).ifPresent(signed::requireBy);
  }

  private Exit one(WorkflowId workflow, List<Anchor> known) {
    try (PostgresStorage storage = store.open()) {
      Optional<Verified> verified =
          HistoryVerification.of(storage, storage.heads(), workflow, known);
      if (verified.isPresent()) return say(verified.get());
      complain("there is no workflow \"%s\"".formatted(workflow));
      return Exit.NOT_FOUND;
    }
  }

  private Exit say(Verified verified) {
    Optional<Finding> finding = verified.finding();
    ObjectNode node = object().put("workflow", verified.workflow());
    node.put("fits", finding.isEmpty()).put("commits", verified.commits());
    node.put("payloads", verified.payloads()).put("sealed", verified.isSealed());
    verified.link().ifPresent(link -> node.put("link", link.toString()));
    finding.ifPresent(one -> node.put("version", one.version()).put("what", one.what()));
    output.say(
        node,
        finding
            .map(Finding::toString)
            .orElseGet(
                () ->
                    "%s: %d commits and %d payloads fit%s"
                        .formatted(
                            verified.workflow(),
                            verified.commits(),
                            verified.payloads(),
                            verified.isSealed()
                                ? "; it was ended because it could not be read"
                                : "")));
    return finding.isEmpty() ? Exit.DONE : Exit.FAILED;
  }

  private Exit all() {
    checkpoint.map(Checkpoint::verify).ifPresent(this::requireKey);
    try (PostgresStorage storage = store.open()) {
      StoreVerification.Summary summary = all(storage);
      ObjectNode node = object().put("fits", summary.damaged() == 0);
      node.put("workflows", summary.workflows()).put("commits", summary.commits());
      node.put("payloads", summary.payloads()).put("sealed", summary.sealed());
      node.put("damaged", summary.damaged());
      output.say(
          node,
          "%d workflows with %d commits and %d payloads: %s"
              .formatted(
                  summary.workflows(),
                  summary.commits(),
                  summary.payloads(),
                  summary.damaged() == 0 ? "all fit" : summary.damaged() + " do not fit"));
      return summary.damaged() == 0 ? Exit.DONE : Exit.FAILED;
    }
  }

  private StoreVerification.Summary all(PostgresStorage storage) {
    if (checkpoint.isEmpty()) return all(storage, StoreVerification.Known.NOTHING);
    try (KnownHeads known = new KnownHeads(checkpoint.get())) {
      return all(storage, known);
    }
  }

  private StoreVerification.Summary all(PostgresStorage storage, StoreVerification.Known known) {
    return new StoreVerification(storage.histories(), connections, known, new Told()).run(after);
  }

  private final class Told implements StoreVerification.Listener {
    @Override
    public void found(Finding finding) {
      ObjectNode node = object().put("workflow", finding.workflow());
      node.put("fits", false).put("version", finding.version()).put("what", finding.what());
      output.say(node, finding.toString());
    }

    @Override
    public void progress(StoreVerification.Summary soFar, String upTo) {
      if (System.nanoTime() - toldAt < TELL_EVERY.toNanos()) return;
      toldAt = System.nanoTime();
      spec.commandLine()
          .getErr()
          .printf(
              "%d workflows, %d commits, %d do not fit; to go on from here: --after '%s'%n",
              soFar.workflows(), soFar.commits(), soFar.damaged(), Output.harmless(upTo));
      spec.commandLine().getErr().flush();
    }
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
