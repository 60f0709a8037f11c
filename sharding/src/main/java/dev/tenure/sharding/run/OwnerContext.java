package dev.tenure.sharding.run;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.sharding.commit.HistoryWriter;
import dev.tenure.sharding.commit.RepairRows;
import dev.tenure.sharding.effect.PendingReplies;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.mailbox.PendingMessages;
import dev.tenure.sharding.mailbox.SeenSignals;
import dev.tenure.sharding.mailbox.SignalTaking;
import dev.tenure.workflow.WorkflowId;

/**
 * What outlives a run: the owner of the next run takes it over from the owner before, with the
 * history in memory and with the clients that wait for answers.
 */
record OwnerContext(
    Host host,
    Owner.Self self,
    WorkflowId id,
    Fence fence,
    PendingMessages pending,
    PendingReplies replies,
    SeenSignals seen,
    SignalTaking signals,
    HistoryWriter history,
    Residency residency) {
  /** For a workflow that this node takes up. */
  static OwnerContext of(
      Host host, Owner.Self self, WorkflowId id, Fence fence, PendingMessages pending) {
    SeenSignals seen = new SeenSignals();
    return new OwnerContext(
        host,
        self,
        id,
        fence,
        pending,
        new PendingReplies(host.limits.replies(), host.nanos),
        seen,
        new SignalTaking(seen, pending, self::tell),
        new HistoryWriter(
            host.kernel,
            id,
            fence,
            host.nextWriter(),
            seen,
            RepairRows.of(id, fence, host.suspects),
            host.formats,
            host.activities::isChecked),
        new Residency(host.settings, host.nanos, self, pending));
  }
}
