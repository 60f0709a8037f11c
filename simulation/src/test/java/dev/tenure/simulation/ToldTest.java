package dev.tenure.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.workflow.audit.Violation;
import dev.tenure.workflow.operation.OperationId;
import org.junit.jupiter.api.Test;

/** What the code was told counts with the commit that holds the last of what the code asked for. */
class ToldTest {
  private static final String NODE = "node";
  private static final String WORKFLOW = "w";
  private static final String RUN = "run";

  private final World world = new World(0, true);

  @Test
  void itIsToldTheSameAfterACommitThatHoldsAll() {
    tells(true);
    commits(false);
    tells(false);

    assertThatThrownBy(() -> commits(false))
        .isInstanceOf(Violation.class)
        .hasMessageContaining("I3");
  }

  @Test
  void itMayBeToldOtherwiseWhenTheOwnerWasLostBeforeTheRest() {
    tells(true);
    commits(true);
    tells(false);

    assertThatCode(() -> commits(false)).doesNotThrowAnyException();
  }

  @Test
  void itIsToldTheSameAfterTheRest() {
    tells(true);
    commits(true);
    commits(false);
    tells(false);

    assertThatThrownBy(() -> commits(false))
        .isInstanceOf(Violation.class)
        .hasMessageContaining("I3");
  }

  @Test
  void onlyTheNodeThatCommitsHasARest() {
    world.decides("another", WORKFLOW, true);
    tells(true);
    commits(false);
    tells(false);

    assertThatThrownBy(() -> commits(false))
        .isInstanceOf(Violation.class)
        .hasMessageContaining("I3");
  }

  /** A start that was dropped begins another run with the id of its first one. */
  @Test
  void aRunWithTheIdOfAnEarlierOneMayBeToldOtherwise() {
    tells(true);
    commits(false);
    world.followsRun(WORKFLOW, RUN);
    tells(false);

    assertThatCode(() -> commits(false)).doesNotThrowAnyException();
  }

  @Test
  void anotherRunOrWorkflowChangesNothingOfWhatARunWasTold() {
    tells(true);
    commits(false);
    world.followsRun(WORKFLOW, "another run");
    world.followsRun("another workflow", RUN);
    tells(false);

    assertThatThrownBy(() -> commits(false))
        .isInstanceOf(Violation.class)
        .hasMessageContaining("I3");
  }

  @Test
  void whatANodeStillHasOfAnEarlierRunIsNotToldInTheNext() {
    tells(true);
    world.followsRun(WORKFLOW, RUN);
    commits(false);
    tells(false);

    assertThatCode(() -> commits(false)).doesNotThrowAnyException();
  }

  @Test
  void aStepOfARunWithTheIdOfAnEarlierOneMayReturnSomethingElse() {
    OperationId step = new OperationId("step#1");
    world.returned(RUN, step, 1, "before");
    world.followsRun(WORKFLOW, RUN);

    assertThat(world.result(RUN, step, 1)).isEmpty();
  }

  /** An owner's code begins anew, and comes to the same place. */
  private void tells(boolean answer) {
    Sight sight = new Sight(world, NODE);
    sight.begins(WORKFLOW, RUN);
    sight.saw("place", answer);
  }

  private void commits(boolean withRest) {
    world.decides(NODE, WORKFLOW, withRest);
    world.stands(NODE, WORKFLOW, true);
  }
}
