package dev.tenure.sharding.unreadable;

import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.persistence.entry.JournalEntryCodec;
import dev.tenure.persistence.journal.DamagedJournalError;
import dev.tenure.persistence.journal.JournalRead;
import dev.tenure.persistence.journal.JournalRow;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.visibility.Page;
import dev.tenure.persistence.visibility.PageRequest;
import dev.tenure.persistence.visibility.WorkflowFilter;
import dev.tenure.persistence.visibility.WorkflowRow;
import dev.tenure.sharding.effect.Deliveries;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.Message;
import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.operation.OperationSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the open children of a workflow whose history cannot be read that the workflow ends. The
 * children's own rows name their parent. The policy of each child is in the parent's history, whose
 * rows are read one by one. A child whose policy is in a damaged row goes on by itself.
 */
record ChildrenOfUnreadable(Host host, WorkflowId parent) {
  private static final Logger log = LoggerFactory.getLogger(ChildrenOfUnreadable.class);
  private static final String WHY = "Its parent ended.";
  private static final int PAGE_ROWS = 500;

  /** How many children are told at once. */
  private static final int CHILDREN_MAX = 100;

  /** Completed with why the parent must not end yet; empty when each of them was told. */
  CompletionStage<Optional<Answer>> tell() {
    return host.reading(this::policies).thenCompose(this::tellPages);
  }

  private CompletionStage<Optional<Answer>> tellPages(Map<WorkflowId, ParentClosePolicy> policies) {
    return tellPages(policies, Optional.empty());
  }

  private CompletionStage<Optional<Answer>> tellPages(
      Map<WorkflowId, ParentClosePolicy> policies, Optional<String> cursor) {
    return host.reading(() -> children(cursor))
        .thenCompose(
            page ->
                tellAll(policies, page.rows())
                    .thenCompose(
                        refusal ->
                            refusal.isPresent() || page.next().isEmpty()
                                ? CompletableFuture.completedStage(refusal)
                                : tellPages(policies, page.next())));
  }

  private Page<WorkflowRow> children(Optional<String> cursor) {
    return host.storage
        .workflows()
        .list(WorkflowFilter.ALL.withParent(parent), new PageRequest(CHILDREN_MAX, cursor));
  }

  private CompletionStage<Optional<Answer>> tellAll(
      Map<WorkflowId, ParentClosePolicy> policies, List<WorkflowRow> children) {
    CompletionStage<Optional<Answer>> all = CompletableFuture.completedStage(Optional.empty());
    for (WorkflowRow child : children) {
      if (child.closedAt().isPresent()) continue;
      ParentClosePolicy policy = policies.get(child.id());
      if (policy == null)
        log.warn(
            "workflow {} goes on after its parent {}: the policy for it cannot be read",
            child.id(),
            parent);
      else if (policy != ParentClosePolicy.ABANDON)
        all = all.thenCombine(tell(child.id(), policy), (one, other) -> one.or(() -> other));
    }
    return all;
  }

  private CompletionStage<Optional<Answer>> tell(WorkflowId child, ParentClosePolicy policy) {
    Command command =
        policy == ParentClosePolicy.TERMINATE
            ? new Command.Terminate(WHY)
            : new Command.Cancel(WHY);
    return host.transport
        .ask(child, replyTo -> new Message.Tell(command, replyTo), Deliveries.ANSWER_LIMIT)
        .thenCompose(
            answer ->
                switch (answer) {
                  // A child with a row and without a history cannot be told, and does nothing.
                  case Answer.Said _, Answer.Unknown _ ->
                      CompletableFuture.completedStage(Optional.empty());
                  case Answer.NotNow(String why) -> host.reading(() -> notTold(child, why));
                  case Answer.Queried _,
                      Answer.Described _,
                      Answer.Ended _,
                      Answer.AnotherRun _,
                      Answer.Updated _,
                      Answer.Busy _,
                      Answer.Again _ ->
                      CompletableFuture.completedStage(again(child, answer.toString()));
                });
  }

  /**
   * A child that cannot be read either has an incident of its own, which a person sees. A child
   * whose owner failed at the order goes on unless it is told again. Blocks.
   */
  private Optional<Answer> notTold(WorkflowId child, String why) {
    boolean isUnreadable =
        host.storage.incidents().find(child).stream()
            .anyMatch(incident -> Unreadable.isKind(incident.kind()));
    return isUnreadable ? Optional.empty() : again(child, why);
  }

  private static Optional<Answer> again(WorkflowId child, String why) {
    return Optional.of(
        new Answer.Again("Its child %s was not told that it ends: %s".formatted(child, why)));
  }

  /** The policies of the children, as far as the newest run can be read. Blocks. */
  private Map<WorkflowId, ParentClosePolicy> policies() {
    Map<WorkflowId, ParentClosePolicy> policies = new HashMap<>();
    for (long from = 1; ; ) {
      JournalRead read =
          new JournalRead(Host.persistenceId(parent), from, Long.MAX_VALUE, PAGE_ROWS, from == 1);
      List<JournalRow> rows;
      try {
        rows = host.storage.read(List.of(read)).getFirst();
      } catch (DamagedJournalError damaged) {
        log.warn("the history of workflow {} cannot be read from {} on", parent, from, damaged);
        return policies;
      }
      for (JournalRow row : rows)
        for (Event event : readable(row))
          if (event instanceof Event.Scheduled scheduled
              && scheduled.spec() instanceof OperationSpec.Child child)
            policies.put(child.id(), child.onParentClose());
      if (rows.size() < PAGE_ROWS) return policies;
      from = rows.getLast().version() + 1;
    }
  }

  private List<Event> readable(JournalRow row) {
    try {
      JournalEntry entry = JournalEntryCodec.decode(row, host.storage);
      return new ArrayList<>(entry.events());
    } catch (StorageException mayPass) {
      throw mayPass;
    } catch (RuntimeException damaged) {
      log.warn("version {} of workflow {} cannot be read", row.version(), parent, damaged);
      return List.of();
    }
  }
}
