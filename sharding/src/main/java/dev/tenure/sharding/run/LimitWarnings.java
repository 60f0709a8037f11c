package dev.tenure.sharding.run;

import dev.tenure.workflow.kernel.Warning;
import dev.tenure.workflow.kernel.WorkflowState;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs once that a workflow comes near a limit; its description shows that all the time. */
final class LimitWarnings {
  private static final Logger log = LoggerFactory.getLogger(LimitWarnings.class);

  private Set<String> said = Set.of();

  void look(WorkflowState state) {
    List<Warning> warnings = state.warnings();
    if (warnings.isEmpty()) return;
    if (said.isEmpty()) said = new HashSet<>();
    for (Warning warning : warnings)
      if (said.add(warning.limit()))
        log.warn("workflow {}: {}", state.start().id(), warning.message());
  }
}
