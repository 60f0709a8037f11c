package dev.tenure.simulation.mutant;

import static dev.tenure.simulation.mutant.Operator.NEGATES_CALL;
import static dev.tenure.simulation.mutant.Operator.RETURNS_ARGUMENT;
import static dev.tenure.simulation.mutant.Operator.SKIPS_ASSIGNMENT;
import static dev.tenure.simulation.mutant.Operator.SKIPS_CALL;

import java.util.List;

/** In what an owner does: its loop, its messages, its inbox, its rows. */
final class OwnerMutants {
  private static final String INBOX = "sharding.mailbox.Inbox";
  private static final String SEEN = "sharding.mailbox.SeenSignals";
  private static final String ROWS = "sharding.commit.VisibilityRows";
  private static final String OUTBOX = "sharding.effect.Outbox";
  private static final String RETRYING_SENDER = "sharding.host.RetryingSender";
  private static final String RESULTS = "sharding.mailbox.IncomingResults";
  private static final String TAKE_UP = "sharding.run.RunTakeUp";
  private static final String REPAIR = "sharding.commit.RepairRows";
  private static final String OWNER_LOOP = "workflow.owner.OwnerLoop";
  private static final String PENDING = "sharding.mailbox.PendingMessages";
  private static final String DECISIONS = "sharding.run.Decisions";
  private static final String CODE_RUN = "sharding.run.CodeRun";

  static final List<Mutant> ALL =
      List.of(
          new Mutant(
              "INBOX_NOT_READ",
              "the owner does not read its inbox and waits for the page",
              INBOX,
              "look",
              SKIPS_CALL,
              "accept",
              "I13"),
          new Mutant(
                  "INBOX_STAYS_READING",
                  "the owner takes its inbox for being read",
                  INBOX,
                  "page",
                  SKIPS_ASSIGNMENT,
                  "reading",
                  "I13")
              .often(),
          new Mutant(
              "ROW_LEFT_OUT",
              "a row that goes with a commit is left out",
              ROWS,
              "of",
              RETURNS_ARGUMENT,
              "with",
              "I8"),
          new Mutant(
                  "ROW_NOT_UPDATED",
                  "the row is taken for up to date",
                  ROWS,
                  "of",
                  NEGATES_CALL,
                  "equals",
                  "I8")
              .often(),
          new Mutant(
                  "ROW_REMEMBERED_WRONG",
                  "the owner takes an older row for the one that is stored",
                  ROWS,
                  "of",
                  SKIPS_ASSIGNMENT,
                  "written",
                  "I8")
              .often(),
          new Mutant(
              "CHILD_OVERTAKEN",
              "a message to a child overtakes its start",
              OUTBOX,
              "release",
              NEGATES_CALL,
              "isBefore",
              "I8"),
          new Mutant(
              "RESULT_DROPPED",
              "an answer of another workflow is dropped",
              RETRYING_SENDER,
              "attempt",
              SKIPS_CALL,
              "accept",
              "I8"),
          new Mutant(
              "RESULT_UNTOLD",
              "the owner does not hear of a result",
              RESULTS,
              "add",
              SKIPS_CALL,
              "run",
              "I8"),
          new Mutant(
              "RESULT_FLAG_LEFT",
              "the owner is taken for told after it took its results",
              RESULTS,
              "take",
              SKIPS_CALL,
              "set",
              "I8"),
          new Mutant(
              "RECOVERY_HANDS_NOTHING_OUT",
              "a new owner does not hand out what was in flight",
              TAKE_UP,
              "takeUp",
              SKIPS_CALL,
              "add",
              "I8"),
          new Mutant(
                  "KEPT_MESSAGE_LOST",
                  "a message that comes while the owner commits is lost",
                  PENDING,
                  "keep",
                  SKIPS_CALL,
                  "add",
                  "I8")
              .often(),
          new Mutant(
              "HISTORY_NOT_READ",
              "an owner does not read its history and waits for it",
              OWNER_LOOP,
              "recover",
              SKIPS_CALL,
              "readHistory",
              "I8"),
          new Mutant(
              "WISHES_LOST",
              "what the code asks for beyond the record is lost",
              CODE_RUN,
              "replayed",
              SKIPS_CALL,
              "keep",
              "I8"),
          new Mutant(
              "STEP_NOT_STARTED",
              "the code does not start a step that is on record",
              CODE_RUN,
              "quiet",
              SKIPS_CALL,
              "give",
              "I8"),
          new Mutant(
                  "PROGRESS_UNRECORDED",
                  "a suspect that made progress stays one",
                  REPAIR,
                  "of",
                  NEGATES_CALL,
                  "isProgress",
                  "I20")
              .often(),
          new Mutant(
              "REQUEST_NOT_GIVEN_BACK",
              "an owner that ends does not answer the clients that wait",
              PENDING,
              "giveBack",
              SKIPS_CALL,
              "tell",
              "I1"),
          new Mutant(
                  "REQUEST_NOT_SENT_ON",
                  "an owner that leaves does not send on what came meanwhile",
                  PENDING,
                  "giveBack",
                  SKIPS_CALL,
                  "accept",
                  "I1")
              .often(),
          new Mutant(
                  "WAITING_LOST_IN_A_RESTART",
                  "a new owner does not begin with what the one before left",
                  PENDING,
                  "begun",
                  SKIPS_CALL,
                  "forEach",
                  "I1")
              .often(),
          new Mutant(
              "REQUEST_STAYS_COUNTED",
              "a request that is taken up stays counted as waiting",
              PENDING,
              "goes",
              SKIPS_ASSIGNMENT,
              "asked",
              "I1"),
          new Mutant(
                  "NOTHING_ENDED",
                  "what an owner had in memory is given up without a word",
                  OWNER_LOOP,
                  "giveUp",
                  SKIPS_CALL,
                  "end",
                  "I1")
              .often(),
          new Mutant(
                  "PAUSE_WITHOUT_END",
                  "an owner that pauses is not begun again",
                  OWNER_LOOP,
                  "pause",
                  SKIPS_CALL,
                  "pause",
                  "I8")
              .often(),
          new Mutant(
                  "KEPT_NOT_TAKEN_UP",
                  "what came during a commit is not taken up when it stands",
                  OWNER_LOOP,
                  "commitStands",
                  SKIPS_CALL,
                  "takeUpWhatWaits",
                  "I8")
              .often(),
          new Mutant(
              "COMMIT_NOT_HEARD_OF",
              "an owner does not hear that its commit stands",
              OWNER_LOOP,
              "commitStands",
              NEGATES_CALL,
              "awaits",
              "I8"),
          new Mutant(
                  "REPLY_OF_A_COMMIT_FORGOTTEN",
                  "the client of a commit is not told that the owner ends",
                  DECISIONS,
                  "end",
                  SKIPS_CALL,
                  "ifPresent",
                  "I1")
              .often(),
          new Mutant(
              "PAGE_NOT_FOLLOWED",
              "an owner does not ask for the next page of its inbox",
              INBOX,
              "page",
              SKIPS_CALL,
              "accept",
              "I13"),
          new Mutant(
              "LEFT_NOT_NOTED",
              "a signal that one commit has no room for is not remembered",
              INBOX,
              "take",
              SKIPS_CALL,
              "add",
              "I14"),
          new Mutant(
                  "LEFT_AND_NOT_SAID",
                  "an end says that nothing of a name is left in the inbox, although signals are",
                  SEEN,
                  "emptyUpTo",
                  SKIPS_CALL,
                  "mayWait",
                  "I13")
              .often(),
          new Mutant(
              "RETURNED_ROW_LEFT_OUT",
              "what one commit consumes and gives back is taken for the other",
              ROWS,
              "of",
              NEGATES_CALL,
              "isReturned",
              "I13"),
          new Mutant(
                  "REST_OF_THE_WISHES_LOST",
                  "what one commit has no room for of what the code asks is lost",
                  DECISIONS,
                  "decide",
                  SKIPS_CALL,
                  "keep",
                  "I8")
              .often(),
          new Mutant(
                  "REST_NOT_GRANTED",
                  "the owner does not ask for the commit that grants the rest",
                  DECISIONS,
                  "decide",
                  SKIPS_CALL,
                  "grantMore",
                  "I8")
              .often(),
          new Mutant(
                  "RESULTS_LEFT_UNTOLD",
                  "the owner does not hear of the results that one commit had no room for",
                  RESULTS,
                  "take",
                  SKIPS_CALL,
                  "run",
                  "I8")
              .often());

  private OwnerMutants() {}
}
