package dev.tenure.simulation;

import dev.tenure.workflow.ActivityFailedException;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.OperationTimedOutException;
import dev.tenure.workflow.Saga;
import dev.tenure.workflow.WorkflowFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Sagas: step {@code name.i} is undone by {@code undo name.i}, unless {@code kept name} is on
 * record, which says that the saga named {@code name} succeeded.
 */
final class SagaParts {
  static final String KEPT = "kept ";

  /** What a saga fails with to have it undone. */
  private static final String UNDONE = "undone";

  private final Life life;
  private final Parts parts;

  SagaParts(Life life, Parts parts) {
    this.life = life;
    this.parts = parts;
  }

  String saga(Part part, String place, int nesting) {
    // One word, another one for each saga of a run, over all branches.
    String name = place.replace('/', '_');
    boolean succeeds = part.is(0) && !isPlanted();
    try {
      return life.ctx.saga(
          saga -> {
            String done =
                isInBranches(part)
                    ? inBranches(saga, part, place, name, nesting)
                    : inTurn(saga, part, place, name);
            if (part.choice(3, 8) == 6 && !isPlanted()) saga.compensate();
            if (!succeeds) throw WorkflowFailure.permanent(UNDONE, name + " is undone");
            String own = name + mark(part);
            life.ctx.shielded(() -> life.ctx.record(KEPT + own, Boolean.class, () -> true));
            return sure(part, done);
          });
    } catch (WorkflowFailure failed) {
      return failed.code().equals(Optional.of(UNDONE))
          ? sure(part, life.saw(place, failed.getMessage()))
          : life.failed(place, failed);
    }
  }

  private static boolean isInBranches(Part part) {
    return part.is(1);
  }

  private boolean isByHand(Part part) {
    return part.is(3) && !isInBranches(part) && !isPlanted();
  }

  private boolean isUndoneAnyway(Part part) {
    return part.choice(3, 8) == 4 && !isInBranches(part) && !isPlanted();
  }

  private boolean isByActivity(Part part) {
    return part.choice(3, 8) == 2 && !isInBranches(part) && !isPlanted();
  }

  /** Whether an activity has its effect depends on the trouble. */
  private String sure(Part part, String told) {
    return isByActivity(part) ? Parts.UNSURE : told;
  }

  /** Stands in the names of its steps. */
  private String mark(Part part) {
    return isByHand(part) ? Parts.SHIELD : isUndoneAnyway(part) ? Undoing.ANYWAY : "";
  }

  private boolean isPlanted() {
    return life.flaw == Flaw.COMPENSATED_IN_ORDER || life.flaw == Flaw.COMPENSATED_TWICE;
  }

  private String inTurn(Saga saga, Part part, String place, String name) {
    int count = 1 + part.choice(2, 3);
    List<Runnable> planted = new ArrayList<>();
    List<String> done = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      // What is shielded may begin behind a cancellation; its name says that it is.
      boolean byHand = isByHand(part);
      String one = name + mark(part) + "." + i;
      if (isPlanted()) {
        life.ctx.step(one, () -> one);
        planted.add(() -> life.step(place + "/undo " + one));
      } else if (byHand) {
        done.add(life.ctx.shielded(() -> life.ctx.step(one, () -> one)));
        if (part.choice(3, 4) == 3) saga.compensateWith("undo " + one, () -> {});
        else saga.compensateWith("undo " + one, Saga.COMPENSATION, () -> {});
      } else if (isUndoneAnyway(part)) done.add(undoneAnyway(saga, part, one));
      else if (isByActivity(part)) done.add(activity(saga, one));
      else done.add(saga.step(one, () -> one, undone -> {}));
    }
    for (Runnable undo : planted) undo.run();
    if (life.flaw == Flaw.COMPENSATED_TWICE && count == 1) planted.forEach(Runnable::run);
    return life.saw(place + ".done", done.toString());
  }

  private String activity(Saga saga, String one) {
    try {
      saga.activity(
          KeyedParts.Kind.UNDOABLE.definition, Optional.of(one), one + "@" + life.sight.mark());
      return one;
    } catch (ActivityFailedException | OperationTimedOutException failed) {
      throw WorkflowFailure.permanent(UNDONE, one + " failed");
    }
  }

  private static String undoneAnyway(Saga saga, Part part, String one) {
    return part.is(2)
        ? saga.stepUndoneEvenIfFailed(one, () -> one, undone -> {})
        : saga.stepUndoneEvenIfFailed(one, Life.PATIENT, () -> one, undone -> {});
  }

  /** One step in each branch, beside what else the branch does. */
  private String inBranches(Saga saga, Part part, String place, String name, int nesting) {
    List<Handle<String>> handles = new ArrayList<>();
    for (int i = 0; i < Math.max(2, part.inner().size()); i++) {
      String one = name + "." + i;
      List<Part> mine = part.branch(i);
      String key = "b" + i;
      handles.add(
          life.ctx.async(
              Life.name(place),
              key,
              () -> {
                String before = parts.all(mine, place + "/" + key, "", nesting);
                return before + saga.step(one, Life.PATIENT, () -> one, undone -> {});
              }));
    }
    return life.saw(place + ".done", life.ctx.all(handles).toString());
  }
}
