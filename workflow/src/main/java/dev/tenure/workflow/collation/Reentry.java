package dev.tenure.workflow.collation;

/** What a message finds to do when it arrives, for the first time or again. */
public enum Reentry {
  /** Count the attempt, then do Leg1's work. */
  RUN_LEG1,
  /** Take a Leg2 entry and its ordinal, then go on with step 1. */
  ENTER_LEG2,
  /** A cycle came round: take a Leg2 entry on the pivot, then pass through from step 1. */
  REENTER,
  /** Do the work. */
  STEP1,
  /** Spawn the children and settle the semaphore. */
  STEP2,
  /** Run the job's completion tasks. */
  STEP3,
  /** Nothing is left to do: delete the message. */
  ACKNOWLEDGE,
  /** A response before its request committed: deliver it again later. */
  DEFER,
  /** A ceiling is reached: raise an incident. */
  ESCALATE
}
