package dev.tenure.workflow.collation;

/** Everything a ledger can say, with the weight of its digit. */
public enum Marker {
  /** Activity, position 1: a trigger's ledger is born complete, and this says so. */
  SEED(ActivityLedger.SEED),
  /** Activity, position 1: ran the job's completion tasks, takes no new Leg2 messages. */
  FINALIZE(ActivityLedger.FINALIZE),
  /** Activity, positions 2-3: one more attempt at Leg1. */
  LEG1_ENTRY(ActivityLedger.LEG1_ENTRY),
  /** Activity, position 4: Leg1's work committed. */
  LEG1_COMPLETE(ActivityLedger.LEG1_COMPLETE),
  /** Activity, positions 8-15: one more Leg2 message. */
  LEG2_ENTRY(ActivityLedger.LEG2_ENTRY),
  /** GUID, position 4: this message closed the job. */
  JOB_CLOSED(GuidLedger.JOB_CLOSED),
  /** GUID, position 5: step 1. */
  WORK(GuidLedger.WORK),
  /** GUID, position 6: step 2. */
  CHILDREN(GuidLedger.CHILDREN),
  /** GUID, position 7: step 3. */
  COMPLETION(GuidLedger.COMPLETION);

  private final long weight;

  Marker(long weight) {
    this.weight = weight;
  }

  public long weight() {
    return weight;
  }
}
