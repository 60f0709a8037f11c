package dev.tenure.workflow.collation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ActivityKindTest {

  @ParameterizedTest
  @CsvSource({
    // kind, category, has Leg2, steps in Leg1, how Leg1 is entered, pre-seeded, finalizable
    "TRIGGER,           D, false, false, LEG1,       false, false",
    "WORKER,            A, true,  false, LEG1,       false, true",
    "AWAIT,             A, true,  false, LEG1,       false, true",
    "TIME_HOOK,         A, true,  false, LEG1,       false, true",
    "WEB_HOOK,          A, true,  false, LEG1,       false, true",
    "PASSTHROUGH,       B, false, true,  LEG1_STEPS, false, true",
    "SIGNAL,            B, false, true,  LEG1_STEPS, false, true",
    "INTERRUPT_ANOTHER, B, false, true,  LEG1_STEPS, false, true",
    "SELF_INTERRUPT,    C, false, true,  LEG1_STEPS, false, true",
    "CYCLE,             C, false, false, LEG1,       true,  false",
    "PIVOT,             B, false, true,  LEG1_PIVOT, true,  false",
    "TIME_PIVOT,        A, true,  false, LEG1_PIVOT, false, false",
    "WEB_PIVOT,         A, true,  false, LEG1_PIVOT, false, false",
  })
  void everyKindHasItsPlaceInTheTable(
      ActivityKind kind,
      Category category,
      boolean leg2,
      boolean stepsInLeg1,
      Entry entry,
      boolean preSeeded,
      boolean finalizable) {
    assertThat(kind.category()).isEqualTo(category);
    assertThat(kind.category().hasLeg2()).isEqualTo(leg2);
    assertThat(kind.stepsInLeg1()).isEqualTo(stepsInLeg1);
    assertThat(kind.entry(Leg.LEG1)).isEqualTo(entry);
    assertThat(kind.entry(Leg.LEG2)).isEqualTo(Entry.LEG2);
    assertThat(kind.isPreSeeded()).isEqualTo(preSeeded);
    assertThat(kind.isFinalizable()).isEqualTo(finalizable);
  }

  @Test
  void aMessageForALegThatIsNotThereIsAMistakeOfTheCaller() {
    for (ActivityKind kind : ActivityKind.values())
      if (!kind.category().hasLeg2())
        assertThatThrownBy(
                () ->
                    new Transition(
                        kind, Leg.LEG2, ActivityLedger.NEW, Optional.empty(), JobSemaphore.of(1)))
            .isInstanceOf(IllegalArgumentException.class);
  }
}
