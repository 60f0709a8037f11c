package dev.tenure.sharding.unreadable;

import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.commit.StoredHistory;
import dev.tenure.sharding.effect.Deliveries;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.Message;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Tells the parent of a workflow whose history cannot be read that the workflow ends. The
 * unreadable history says which operation of the parent waits for the workflow; the parent's own
 * history says it, too.
 */
record ParentOfUnreadable(Host host, WorkflowId child) {
  /** What the parent's history says. */
  private sealed interface Found {
    /** The parent waits, and is to be told this. */
    record Waits(Command.ChildEnded order) implements Found {}

    /** It waits no more, or is over. */
    record WaitsNot() implements Found {}

    /** It may wait, and cannot be told, because its history cannot be read either. */
    record IsUnreadable() implements Found {}
  }

  /** Completed with why the child must not end yet; empty when the parent knows, or need not. */
  CompletionStage<Optional<Answer>> tell(WorkflowId parent, Outcome outcome) {
    return host.reading(() -> find(parent, outcome))
        .thenCompose(
            found ->
                switch (found) {
                  case Found.Waits(var order) -> tell(parent, order);
                  case Found.WaitsNot no -> CompletableFuture.completedStage(Optional.empty());
                  case Found.IsUnreadable too ->
                      CompletableFuture.completedStage(
                          Optional.of(
                              new Answer.NotNow(
                                  "The history of its parent %s cannot be read either, and the parent may wait for it: restore or terminate the parent first."
                                      .formatted(parent))));
                });
  }

  private CompletionStage<Optional<Answer>> tell(WorkflowId parent, Command.ChildEnded ended) {
    return host.transport
        .ask(parent, replyTo -> new Message.Tell(ended, replyTo), Deliveries.ANSWER_LIMIT)
        // Any answer of the parent will do: it has the outcome on record, or does not wait for it.
        .thenApply(
            answer ->
                answer instanceof Answer.Said
                    ? Optional.empty()
                    : Optional.of(new Answer.Again("Its parent does not answer.")));
  }

  /** Blocks. */
  private Found find(WorkflowId parent, Outcome outcome) {
    WorkflowState state;
    try {
      state = read(parent);
    } catch (RuntimeException failure) {
      if (Unreadable.damage(failure).isEmpty()) throw failure;
      // The parent's history may be restored, unless the parent was ended: then it waits for
      // nothing.
      Optional<WorkflowRow> row = host.storage.workflows().find(parent);
      boolean isOpen = row.isPresent() && row.get().closedAt().isEmpty();
      return isOpen ? new Found.IsUnreadable() : new Found.WaitsNot();
    }
    for (Operation one : state.openOperations())
      if (one.spec() instanceof OperationSpec.Child spec && spec.id().equals(child))
        return new Found.Waits(new Command.ChildEnded(one.id(), outcome));
    return new Found.WaitsNot();
  }

  private WorkflowState read(WorkflowId parent) {
    WorkflowState[] state = {WorkflowState.none()};
    StoredHistory.read(
        host,
        parent,
        step -> {
          step.requireNoSeal();
          for (Event event : state[0].exists() ? step.events() : step.newestRun())
            state[0] = host.kernel.evolve(state[0], event);
        });
    return state[0];
  }
}
