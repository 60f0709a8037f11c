package dev.tenure.sharding.code;

import dev.tenure.workflow.Branch;
import dev.tenure.workflow.CancelledException;

/** What a branch comes to. */
final class Promise<T> extends Slot<T> {
  private final Scope scope;
  private T value;
  private Throwable failure;

  Promise(Stage stage, Scope scope) {
    super(stage);
    this.scope = scope;
  }

  void run(Branch<T, ?> branch) {
    try {
      value = branch.run();
    } catch (Unwound end) {
      throw end;
    } catch (Throwable thrown) {
      failure = thrown;
    }
    scope.leave();
    finish();
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
