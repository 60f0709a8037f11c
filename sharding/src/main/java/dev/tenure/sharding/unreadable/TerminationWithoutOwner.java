package dev.tenure.sharding.unreadable;

import dev.tenure.persistence.commit.CommitResult;
import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.entry.Authorship;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.visibility.WorkflowChange;
import dev.tenure.sharding.commit.EntryCommit;
import dev.tenure.sharding.commit.HistoryWriter;
import dev.tenure.sharding.commit.RepairRows;
import dev.tenure.sharding.commit.StoredHistory;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.mailbox.SeenSignals;
import dev.tenure.sharding.message.Answer;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Admission;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Decision;
import dev.tenure.workflow.kernel.Reply;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.kernel.Wishes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Terminates a workflow whose owner fails again and again, by one commit to its journal. To close
 * only its row would not do: the next owner would go on with a history that has no end.
 *
 * @param whenFenced called when the store refuses the commit because the tenure is over
 */
record TerminationWithoutOwner(Host host, WorkflowId id, Fence fence, Runnable whenFenced) {
  private static final Logger log = LoggerFactory.getLogger(TerminationWithoutOwner.class);

  /**
   * The answer when the journal has the end. The next owner tells the parent, the children and the
   * clients.
   */
  static final Answer DONE = new Answer.Said(new Reply.Done());

  /**
   * Answers the order; empty when its history allows no commit, says that it is over, or cannot
   * hold the event of its end. Blocks.
   */
  Optional<Answer> commit(Command.Terminate terminate) {
    try {
      HistoryWriter history =
          new HistoryWriter(
              host.kernel,
              id,
              fence,
              host.nextWriter(),
              new SeenSignals(),
              new RepairRows(id, fence.shard(), () -> false, progressed -> {}),
              host.formats);
      StoredHistory.read(host, id, history::recover);
      history.takeReplay();
      if (!history.state().exists() || history.state().phase().isOver()) return Optional.empty();
      Instant now = host.clock.instant();
      return switch (host.kernel.admit(history.state(), terminate, now)) {
        case Admission.Refused(Reply reply) -> Optional.of(new Answer.Said(reply));
        case Admission.Duplicate(Reply reply) -> Optional.of(new Answer.Said(reply));
        case Admission.Ignored(String reason) ->
            Optional.of(new Answer.Said(new Reply.AlreadyDone(reason)));
        case Admission.Accepted accepted -> Optional.of(commit(terminate, history, now));
      };
    } catch (StorageException.Refused refused) {
      log.error("the end of workflow {} cannot be stored", id, refused);
      return Optional.empty();
    } catch (StorageException mayPass) {
      throw mayPass;
    } catch (RuntimeException defect) {
      // The history allows no commit: the workflow can only be ended by its row.
      if (Unreadable.damage(defect).isEmpty())
        log.error("workflow {} cannot be terminated in its journal", id, defect);
      return Optional.empty();
    }
  }

  private Answer commit(Command.Terminate terminate, HistoryWriter history, Instant now) {
    Decision decision = host.kernel.decide(history.state(), terminate, Wishes.NONE, now);
    JournalEntry entry =
        history.next(history.encode(decision.events()), decision.returned(), false, now);
    List<SideRow> rows = new ArrayList<>(entry.sideRows());
    // The incident that its failing owner raised stands beside the journal.
    SideRow closed = new SideRow.IncidentClosed(id);
    if (!rows.contains(closed)) rows.add(closed);
    return store(entry, rows);
  }

  /**
   * Ends the workflow without reading its history. A seal is added to the history, so that no owner
   * goes on with it when it is restored. Workers are told that their tasks are gone. Blocks.
   */
  Answer seal() {
    Instant now = host.clock.instant();
    List<SideRow> rows =
        List.of(
            new SideRow.IncidentClosed(id),
            new SideRow.TasksRemoved(id),
            new SideRow.WorkflowChanged(WorkflowChange.closes(id, Status.TERMINATED, now)));
    long newest = host.storage.newestVersions(List.of(Host.persistenceId(id))).getFirst();
    Authorship by = new Authorship(id, host.nextWriter());
    return store(JournalEntry.seal(by, newest + 1, fence, rows), rows);
  }

  private Answer store(JournalEntry entry, List<SideRow> rows) {
    return switch (host.storage.commit(List.of(EntryCommit.of(entry, rows))).getFirst()) {
      case CommitResult.Committed committed -> DONE;
      case CommitResult.Fenced fenced -> {
        whenFenced.run();
        yield new Answer.Again(fenced.toString());
      }
      case CommitResult.Conflict conflict -> new Answer.Again(conflict.toString());
      case CommitResult.SignalNotTaken signal -> new Answer.Again(signal.toString());
      case CommitResult.Unknown unknown -> new Answer.Again(unknown.toString());
    };
  }
}
