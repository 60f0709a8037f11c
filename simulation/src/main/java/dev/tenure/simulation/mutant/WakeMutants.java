package dev.tenure.simulation.mutant;

import static dev.tenure.simulation.mutant.Operator.NEGATES_CALL;
import static dev.tenure.simulation.mutant.Operator.SKIPS_ASSIGNMENT;
import static dev.tenure.simulation.mutant.Operator.SKIPS_CALL;

import java.util.List;

/**
 * In what an owner in memory moves by: its timers, its inbox, its row, and what it takes over. A
 * look at due rows repairs most of what they do.
 */
final class WakeMutants {
  private static final String OWNER = "sharding.run.Owner";
  private static final String RESIDENCY = "sharding.run.Residency";
  private static final String TAKE_UP = "sharding.run.RunTakeUp";
  private static final String INBOX = "sharding.mailbox.Inbox";
  private static final String SEEN = "sharding.mailbox.SeenSignals";
  private static final String PENDING = "sharding.mailbox.PendingMessages";
  private static final String SIGNALS = "sharding.host.IncomingSignals";

  static final List<Mutant> ALL =
      List.of(
          new Mutant(
                  "TIMER_FORGOTTEN",
                  "an owner keeps the due time of the state before",
                  RESIDENCY,
                  "stands",
                  SKIPS_ASSIGNMENT,
                  "dueMs",
                  "I8")
              .often(),
          new Mutant(
                  "NEXT_TIMER_TAKEN_FOR_TOLD",
                  "after a timer the owner is taken for told of the next",
                  RESIDENCY,
                  "stands",
                  SKIPS_ASSIGNMENT,
                  "dueTold",
                  "I8")
              .often(),
          new Mutant(
                  "DUE_NOT_TOLD",
                  "the look at workflows in memory does not tell the owner",
                  RESIDENCY,
                  "look",
                  SKIPS_CALL,
                  "tell",
                  "I8")
              .often(),
          new Mutant(
                  "TIMERS_NOT_TAKEN_OVER",
                  "a new owner does not know when it is due",
                  TAKE_UP,
                  "begin",
                  SKIPS_CALL,
                  "stands",
                  "I8")
              .often(),
          new Mutant(
                  "DUE_WAIT_NOT_LOOKED_FOR",
                  "waits that are due are not looked for",
                  OWNER,
                  "take",
                  SKIPS_CALL,
                  "lookForDue",
                  "I8")
              .often(),
          new Mutant(
                  "DUE_WAIT_NOT_READ_FOR",
                  "waits that are due do not have the inbox read",
                  INBOX,
                  "lookForDue",
                  SKIPS_CALL,
                  "look",
                  "I8")
              .often(),
          new Mutant(
                  "SIGNAL_UNTOLD",
                  "the owner is not told of a signal in its inbox",
                  SIGNALS,
                  "wake",
                  SKIPS_CALL,
                  "tell",
                  "I13")
              .mostly(),
          new Mutant(
                  "WAKE_UP_WITHOUT_LOOK",
                  "an owner that is woken does not read its inbox",
                  OWNER,
                  "wakeUp",
                  SKIPS_CALL,
                  "look",
                  "I13")
              .often(),
          new Mutant(
                  "SECOND_LOOK_FORGOTTEN",
                  "an owner that reads its inbox does not note that it has to once more",
                  INBOX,
                  "look",
                  SKIPS_ASSIGNMENT,
                  "again",
                  "I13")
              .mostly(),
          new Mutant(
                  "NEW_WAIT_NOT_LOOKED_FOR",
                  "a wait that begins is taken for one without signals",
                  INBOX,
                  "lookFor",
                  NEGATES_CALL,
                  "mayWait",
                  "I13")
              .often(),
          new Mutant(
                  "TIMES_OUT_AND_OTHERS_DO_NOT",
                  "a wait times out whose signal one commit has no room for, and one without does"
                      + " not",
                  INBOX,
                  "withoutSignal",
                  NEGATES_CALL,
                  "contains",
                  "I8")
              .often(),
          new Mutant(
                  "ROW_SAYS_SEEN",
                  "the row says that no signal waits, and one does",
                  SEEN,
                  "settled",
                  NEGATES_CALL,
                  "mayWaitInInbox",
                  "I8")
              .often(),
          new Mutant(
                  "GRANT_NOT_QUEUED",
                  "the commit that grants the rest is not queued",
                  PENDING,
                  "grantMore",
                  SKIPS_CALL,
                  "addFirst",
                  "I8")
              .often());

  private WakeMutants() {}
}
