package dev.tenure.sharding.code;

import dev.tenure.workflow.Branch;
import dev.tenure.workflow.CancelledException;

/** A branch, and what it comes to. It belongs to the block of code that started it. */
final class Promise<T> extends Slot<T> {
  private final Scope starter;
  private final Scope scope;
  private final Strand strand;

  /** The strand that runs the code which started it; null when the engine did. */
  private final Strand startedBy;

  private T value;
  private Throwable failure;

  private Promise(Stage stage, Scope starter, Strand startedBy, Names names, Branch<T, ?> branch) {
    super(stage);
    this.starter = starter;
    this.startedBy = startedBy;
    this.scope = starter.within();
    this.strand = new Strand(stage, names, scope, () -> run(branch));
  }

  static <T> Promise<T> start(Strand by, Names names, Branch<T, ?> branch) {
    return begin(new Promise<>(by.stage, by.scope, by, names, branch));
  }

  /** Of the engine's own making, beside the workflow's own method. */
  static <T> Promise<T> beside(Stage stage, Names names, Branch<T, ?> branch) {
    return begin(new Promise<>(stage, stage.root(), null, names, branch));
  }

  private static <T> Promise<T> begin(Promise<T> promise) {
    promise.starter.begins(promise);
    promise.stage.ready(promise.strand);
    return promise;
  }

  private void run(Branch<T, ?> branch) {
    try {
      value = strand.in(scope, branch);
    } catch (Unwound end) {
      throw end;
    } catch (Throwable thrown) {
      // A machine or a build that is broken is no result, and perhaps nobody asks for it.
      if (thrown instanceof Error) stage.play.stopAtBug(thrown);
      failure = thrown;
    }
    starter.ended(this);
    finish();
  }

  /** It comes to nothing, and nobody waits for it. */
  void forget() {
    starter.ended(this);
    scope.leave();
  }

  Strand strand() {
    return strand;
  }

  boolean isStartedBy(Strand one) {
    return startedBy == one;
  }

  boolean isCancelled() {
    return scope.isCancelled();
  }

  @Override
  void cancelled(CancelledException why) {
    // The branch itself decides when it is done: it may have to clean up.
    scope.cancelAll(why.getMessage());
  }

  @Override
  boolean mayHaveFailed() {
    return failure != null;
  }

  @Override
  T result() throws Throwable {
    if (failure != null) throw failure;
    return value;
  }
}
