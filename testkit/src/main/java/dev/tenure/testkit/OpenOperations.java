package dev.tenure.testkit;

import dev.tenure.persistence.entry.JournalEntryCodec;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.key.KeyText;
import dev.tenure.persistence.storage.Storage;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Kernel;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.Operation;
import java.util.ArrayList;
import java.util.List;

/** What a workflow waits for, in words, from its history. */
final class OpenOperations {
  private OpenOperations() {}

  static String of(Storage storage, WorkflowId id) {
    JournalRead all =
        new JournalRead(KeyText.column(id.value()), 1, Long.MAX_VALUE, Integer.MAX_VALUE);
    WorkflowState state = WorkflowState.none();
    for (JournalRow row : storage.read(List.of(all)).getFirst())
      for (Event event : JournalEntryCodec.decode(row.payload()).events())
        state = Kernel.standard().evolve(state, event);
    if (state.incident().isPresent()) return "incident: " + state.incident().get().message();
    List<String> open = new ArrayList<>();
    for (Operation operation : state.openOperations())
      open.add(operation.id() + " (" + operation.phase() + ")");
    return open.isEmpty() ? "waiting for a condition in its code" : "waiting for " + open;
  }
}
