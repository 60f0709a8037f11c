package dev.tenure.testkit;

import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.sharding.client.WorkflowClient;
import dev.tenure.sharding.history.History;
import dev.tenure.sharding.workflow.Workflows;
import java.util.ArrayList;
import java.util.List;

/** Reads whole histories, page by page. */
final class Histories {
  private Histories() {}

  static History read(WorkflowClient client, String workflowId) {
    List<JournalEntry> all = new ArrayList<>();
    List<JournalEntry> page;
    do {
      page =
          client
              .handle(workflowId, Object.class)
              .history(all.size() + 1L, Workflows.HISTORY_PAGE_MAX);
      all.addAll(page);
    } while (page.size() == Workflows.HISTORY_PAGE_MAX);
    return new History(all);
  }
}
