package dev.tenure.sharding.message;

import dev.tenure.sharding.program.ProgramSource;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.kernel.Replay;
import dev.tenure.workflow.kernel.WorkflowState;
import java.util.Optional;

/**
 * The newest run of a workflow, read from the journal.
 *
 * @param poison why its code must not be run; the end of a run clears its incident, and does not
 *     mend its code
 * @param program that it runs; empty when there is no such workflow
 */
public record PastRun(
    WorkflowState state,
    Replay history,
    Optional<Incident> poison,
    Optional<ProgramSource.Finding> program) {}
