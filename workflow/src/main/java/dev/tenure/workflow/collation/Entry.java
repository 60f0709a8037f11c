package dev.tenure.workflow.collation;

/** How a message enters an activity: which of its ledgers speak when it comes back. */
public enum Entry {
  /** Leg1 whose work is one commit: the activity's digits alone tell whether it is done. */
  LEG1,
  /** Leg1 that runs the steps: the message has a GUID ledger from its entry on. */
  LEG1_STEPS,
  /** Leg1 of a cycle's pivot: an unknown message after completion is a re-entry, not a replay. */
  LEG1_PIVOT,
  /** Leg2: every new message takes an ordinal. */
  LEG2
}
