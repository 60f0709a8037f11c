package dev.tenure.workflow.collation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.workflow.collation.ReentryTable.Job;
import dev.tenure.workflow.collation.ReentryTable.Row;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReentryTableTest {

  private interface Visitor {
    void visit(Entry entry, Job job, ActivityLedger.Standing activity, GuidLedger.Standing guid);
  }

  private static void everyCombination(Visitor visitor) {
    for (Entry entry : Entry.values())
      for (Job job : Job.values())
        for (ActivityLedger.Standing activity : ActivityLedger.Standing.values())
          for (GuidLedger.Standing guid : GuidLedger.Standing.values())
            visitor.visit(entry, job, activity, guid);
  }

  @Test
  void everyCombinationIsDecidedAndEveryRowDecidesSomething() {
    Set<Row> visited = new HashSet<>();
    everyCombination(
        (entry, job, activity, guid) -> {
          Row decides = ReentryTable.row(entry, job, activity, guid);
          assertThat(decides.fits(entry, job, activity, guid)).isTrue();
          visited.add(decides);
        });
    assertThat(visited).containsExactlyInAnyOrderElementsOf(ReentryTable.ROWS);
  }

  @Test
  void aMessageThatClosedTheJobCompletesItWhateverTheJobSays() {
    everyCombination(
        (entry, job, activity, guid) -> {
          Optional<Reentry> decision = ReentryTable.row(entry, job, activity, guid).decision();
          if (guid == GuidLedger.Standing.CLOSING && decision.isPresent())
            assertThat(decision).contains(Reentry.STEP3);
          else assertThat(decision).isNotEqualTo(Optional.of(Reentry.STEP3));
        });
  }

  @Test
  void nothingButTheCloserActsOnAClosedJob() {
    everyCombination(
        (entry, job, activity, guid) -> {
          Optional<Reentry> decision = ReentryTable.row(entry, job, activity, guid).decision();
          if (job == Job.CLOSED && decision.isPresent())
            assertThat(decision.get()).isIn(Reentry.ACKNOWLEDGE, Reentry.STEP3);
        });
  }

  @Test
  void onlyAFinishedOrForeignMessageIsAcknowledged() {
    everyCombination(
        (entry, job, activity, guid) -> {
          Optional<Reentry> decision = ReentryTable.row(entry, job, activity, guid).decision();
          if (job == Job.ACTIVE && decision.equals(Optional.of(Reentry.ACKNOWLEDGE)))
            assertThat(guid)
                .isNotIn(
                    GuidLedger.Standing.WORKED,
                    GuidLedger.Standing.CLOSING,
                    GuidLedger.Standing.LEG2_SEEDED);
        });
  }

  /** The contract's sentences about resuming, and the decisions about its gaps, one row each. */
  @ParameterizedTest
  @CsvSource({
    // kind, leg, activity, GUID (empty: unseen), semaphore, decision
    // Leg1 of activities without steps there
    "WORKER,  LEG1, 000000000000000, ,                1, RUN_LEG1",
    "WORKER,  LEG1, 010000000000000, ,                1, RUN_LEG1",
    "WORKER,  LEG1, 099000000000000, ,                1, ESCALATE",
    "WORKER,  LEG1, 001100000000000, ,                1, ACKNOWLEDGE",
    "WORKER,  LEG1, 099100000000000, ,                1, ACKNOWLEDGE",
    "WORKER,  LEG1, 001100000000001, ,                1, ACKNOWLEDGE",
    "WORKER,  LEG1, 001000000000000, ,                0, ACKNOWLEDGE",
    "WORKER,  LEG1, 201100000000001, ,                0, ACKNOWLEDGE",
    "CYCLE,   LEG1, 001000000000000, ,                1, RUN_LEG1",
    "CYCLE,   LEG1, 001100000000001, ,                1, ACKNOWLEDGE",
    // Leg1 with steps
    "SIGNAL,  LEG1, 000000000000000, ,                1, RUN_LEG1",
    "SIGNAL,  LEG1, 001000000000000, 000000000000000, 1, RUN_LEG1",
    "SIGNAL,  LEG1, 099000000000000, 000000000000000, 1, ESCALATE",
    "SIGNAL,  LEG1, 001100000000000, 000010000000000, 1, STEP2",
    "SIGNAL,  LEG1, 099100000000000, 000010000000000, 1, STEP2",
    "SIGNAL,  LEG1, 001100000000000, 000011000000000, 1, ACKNOWLEDGE",
    "SIGNAL,  LEG1, 001100000000000, 000111000000000, 0, STEP3",
    "SIGNAL,  LEG1, 201100000000000, 000111100000000, 0, ACKNOWLEDGE",
    "SIGNAL,  LEG1, 001100000000000, 000010000000000, 0, ACKNOWLEDGE",
    "SIGNAL,  LEG1, 001100000000000, 000000000000000, 1, ACKNOWLEDGE",
    "SIGNAL,  LEG1, 001100000000000, ,                1, ACKNOWLEDGE",
    // a pivot
    "PIVOT,   LEG1, 001100000000001, ,                1, REENTER",
    "PIVOT,   LEG1, 001100000000001, 000000000000000, 1, ACKNOWLEDGE",
    "PIVOT,   LEG1, 001100000000001, 000011000000000, 1, ACKNOWLEDGE",
    "PIVOT,   LEG1, 001100000000002, 000000000000002, 1, STEP1",
    "PIVOT,   LEG1, 001100000000002, 000010000000002, 1, STEP2",
    "PIVOT,   LEG1, 001100000000002, 000111000000002, 0, STEP3",
    "PIVOT,   LEG1, 099100000000001, ,                1, REENTER",
    "PIVOT,   LEG1, 001100099999999, ,                1, ESCALATE",
    "PIVOT,   LEG1, 001100000000001, ,                0, ACKNOWLEDGE",
    // Leg2
    "WORKER,  LEG2, 001000000000000, ,                1, DEFER",
    "WORKER,  LEG2, 001100000000000, ,                1, ENTER_LEG2",
    "WORKER,  LEG2, 001100000000009, ,                1, ENTER_LEG2",
    "WORKER,  LEG2, 001100099999999, ,                1, ESCALATE",
    "WORKER,  LEG2, 201100000000001, ,                1, ACKNOWLEDGE",
    "WORKER,  LEG2, 001100000000001, ,                0, ACKNOWLEDGE",
    "WORKER,  LEG2, 001100000000001, 000000000000001, 1, STEP1",
    "WORKER,  LEG2, 201100000000002, 000000000000001, 1, STEP1",
    "WORKER,  LEG2, 001100000000001, 000010000000001, 1, STEP2",
    "WORKER,  LEG2, 001100000000001, 000011000000001, 1, ACKNOWLEDGE",
    "WORKER,  LEG2, 001100000000001, 000111000000001, 0, STEP3",
    "WORKER,  LEG2, 201100000000001, 000111100000001, 0, ACKNOWLEDGE",
    "WORKER,  LEG2, 001100000000001, 000000000000001, 0, ACKNOWLEDGE",
    "WORKER,  LEG2, 001100000000001, 000010000000001, 0, ACKNOWLEDGE",
  })
  void aMessageFindsWhatToDo(
      ActivityKind kind, Leg leg, String activity, String guid, long semaphore, Reentry decision) {
    Transition message = message(kind, leg, activity, guid, semaphore);
    assertThat(message.next()).isEqualTo(decision);
    assertThat(message.because()).isNotBlank();
  }

  @ParameterizedTest
  @CsvSource({
    "WORKER,  LEG1, 001100000000001, 000010000000001, 1", // this Leg1 has no steps
    "WORKER,  LEG2, 001100000000001, 000000000000000, 1", // an ordinal of 0 is no Leg2 message
    "SIGNAL,  LEG1, 001000000000000, 000010000000000, 1", // work without Leg1's digit
    "SIGNAL,  LEG1, 001100000000001, 000000000000001, 1", // a re-entry without a pivot
    "PIVOT,   LEG1, 201100000000001, ,                1", // a finalized pivot
    "WORKER,  LEG2, 201100000000001, 000111000000001, 0", // finalized, and completion still due
    "WORKER,  LEG2, 001100000000001, 000010000000002, 1", // an ordinal that was never given
  })
  void whatNoCommitsCanHaveWrittenIsNotResumed(
      ActivityKind kind, Leg leg, String activity, String guid, long semaphore) {
    assertThatThrownBy(() -> message(kind, leg, activity, guid, semaphore).next())
        .isInstanceOf(CorruptLedgerError.class)
        .hasMessageContaining("Do not resume");
  }

  private static Transition message(
      ActivityKind kind, Leg leg, String activity, String guid, long semaphore) {
    return new Transition(
        kind,
        leg,
        new ActivityLedger(Long.parseLong(activity)),
        Optional.ofNullable(guid).map(digits -> new GuidLedger(Long.parseLong(digits))),
        JobSemaphore.of(semaphore));
  }
}
