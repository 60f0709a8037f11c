package dev.tenure.sharding.commit;

import dev.tenure.persistence.commit.Commit;
import dev.tenure.persistence.commit.CommitId;
import dev.tenure.persistence.commit.SideRow;
import dev.tenure.persistence.payload.Payloads;
import dev.tenure.persistence.step.Step;
import dev.tenure.persistence.step.StepSerializer;
import dev.tenure.sharding.host.Host;
import dev.tenure.workflow.WorkflowId;
import java.util.List;

/** A step as the storage takes it, for those who hand it over without Pekko's journal. */
public final class StepCommit {
  private static final StepSerializer SERIALIZER = new StepSerializer(Payloads.NONE);

  private StepCommit() {}

  /**
   * @param rows what is stored with it
   */
  public static Commit of(WorkflowId id, Step step, List<SideRow> rows, String writer, long nowMs) {
    return new Commit(
        new CommitId(Host.persistenceId(id), step.head().version(), writer),
        step.fence(),
        StepSerializer.IDENTIFIER,
        SERIALIZER.manifest(step),
        SERIALIZER.toBinary(step),
        nowMs,
        rows);
  }
}
