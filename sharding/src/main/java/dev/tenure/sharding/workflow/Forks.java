package dev.tenure.sharding.workflow;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.step.Step;
import dev.tenure.persistence.step.StepCodec;
import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Fork;
import dev.tenure.workflow.kernel.Sizes;
import dev.tenure.workflow.kernel.Start;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the history of one workflow, and makes that of another out of it. */
final class Forks {
  /** The copied history is one commit, so that there is all of the new workflow or nothing. */
  static final long FORK_BYTES_MAX = Commit.MAX_PAYLOAD_BYTES - 256 * 1024;

  /** What an event takes besides its payload, at most, unless its names are very long. */
  private static final int EVENT_BYTES = 256;

  private static final int PAGE_STEPS = 1_000;

  private final Host host;

  Forks(Host host) {
    this.host = host;
  }

  /** Blocks. */
  List<Event> make(ForkRequest request) {
    List<Event> history = new ArrayList<>();
    long version = read(request.source(), history);
    if (version == 0) throw new WorkflowError.NotFound(request.source());
    List<Event> run = history.subList(Fork.beginning(history), history.size());
    Start old = Fork.start(run.getFirst());
    var source = new Fork.Source(request.source(), old.runId(), version, request.from());
    List<Event> made =
        Fork.of(run, start(request, old, version(run)), source, host.clock.instant())
            .orElseThrow(() -> new WorkflowError.NoSuchOperation(request.source(), request.from()));
    long bytes = 0;
    for (Event event : made) bytes += EVENT_BYTES + Sizes.payloadBytes(event);
    if (bytes > FORK_BYTES_MAX)
      throw new WorkflowError.OverLimit(
          request.source(),
          "FORK_BYTES_MAX",
          bytes,
          FORK_BYTES_MAX,
          "Fork from an earlier operation.");
    return made;
  }

  /** The run's version as it is now: what is on record may be of code that it was moved to. */
  private static int version(List<Event> run) {
    int version = Fork.start(run.getFirst()).type().version();
    for (Event event : run) if (event instanceof Event.Repinned moved) version = moved.version();
    return version;
  }

  private Start start(ForkRequest request, Start old, int version) {
    Map<String, Attribute> attributes = old.attributes();
    return new Start(
        request.id(),
        host.ids.get(),
        new WorkflowType(old.type().name(), request.version().orElse(version)),
        old.input(),
        // All chance before the fork came from it, and comes again.
        old.seed(),
        Optional.of(request.request().orElseGet(host.ids)),
        // Nobody waits for the result: the old one's parent has, or gets, the old one's.
        Optional.empty(),
        old.executionTimeout(),
        attributes,
        old.trace());
  }

  private long read(WorkflowId id, List<Event> history) {
    long version = 0;
    while (true) {
      JournalRead page =
          new JournalRead(Host.persistenceId(id), version + 1, Long.MAX_VALUE, PAGE_STEPS);
      List<JournalRow> rows = host.storage.read(List.of(page)).getFirst();
      for (JournalRow row : rows) {
        Step step = StepCodec.decode(row.payload(), host.storage.payloads());
        history.addAll(step.events());
        version = row.version();
      }
      if (rows.size() < PAGE_STEPS) return version;
    }
  }
}
