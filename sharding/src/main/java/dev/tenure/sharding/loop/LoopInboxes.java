package dev.tenure.sharding.loop;

import dev.tenure.persistence.signal.InboxRead;
import dev.tenure.persistence.signal.PendingSignal;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.sharding.host.InboxReads;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Reads the inboxes of the owners on a {@link LoopNode}. */
record LoopInboxes(LoopNode node) implements InboxReads {
  private static final Duration RETRY_PAUSE = Duration.ofMillis(200);

  @Override
  public void read(WorkflowId id, long after, Consumer<List<PendingSignal>> answer) {
    InboxRead read = new InboxRead(id, after, node.host.limits.signalsPerPage());
    node.soon(what(read), () -> readNow(read, answer));
  }

  private static String what(InboxRead read) {
    return "the inbox of " + read.workflowId();
  }

  private void readNow(InboxRead read, Consumer<List<PendingSignal>> answer) {
    List<PendingSignal> page;
    try {
      page = node.storage.signals().pending(List.of(read)).getFirst();
    } catch (StorageException e) {
      node.after(RETRY_PAUSE, what(read), () -> readNow(read, answer));
      return;
    }
    node.answers(what(read), () -> answer.accept(page), () -> readNow(read, answer));
  }
}
