package dev.tenure.simulation;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.workflow.audit.Violation;
import org.junit.jupiter.api.Test;

/** What the code was told counts with the commit that holds the last of what the code asked for. */
class ToldTest {
  private static final String NODE = "node";
  private static final String WORKFLOW = "w";

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

  /** An owner's code begins anew, and comes to the same place. */
  private void tells(boolean answer) {
    Sight sight = new Sight(world, NODE);
    sight.begins(WORKFLOW, "run");
    sight.saw("place", answer);
  }

  private void commits(boolean withRest) {
    world.decides(NODE, WORKFLOW, withRest);
    world.stands(NODE, WORKFLOW, true);
  }
}
