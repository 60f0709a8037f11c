package dev.tenure.sharding.code;

import dev.tenure.workflow.Saga;
import dev.tenure.workflow.StepAction;
import dev.tenure.workflow.StepBody;
import java.util.ArrayDeque;
import java.util.Deque;

/** What is to be undone, the newest first (I12). */
final class SagaRun implements Saga {
  private record Undo(String name, StepAction<?> action) {}

  private final CodeContext context;
  private final Deque<Undo> undos = new ArrayDeque<>();

  SagaRun(CodeContext context) {
    this.context = context;
  }

  @Override
  public <X extends Exception> void compensateWith(String name, StepAction<X> compensation) {
    undos.push(new Undo(name, compensation));
  }

  @Override
  public <T, X extends Exception> T step(
      String name, StepBody<T, X> body, Compensation<T> compensation) throws X {
    // A cancellation in the middle of it would leave what it did without what undoes it.
    T result = context.shielded(() -> context.step(name, body));
    compensateWith("undo " + name, () -> compensation.undo(result));
    return result;
  }

  @Override
  public void compensate() {
    Throwable failed = undoAll(null);
    if (failed != null) throw Sneaky.raise(failed);
  }

  /** Undoes what was done before this was thrown; what fails meanwhile is noted in it. */
  void compensateAfter(Throwable thrown) {
    undoAll(thrown);
  }

  private Throwable undoAll(Throwable noteIn) {
    Throwable first = noteIn;
    // Taken out before it runs: each runs at most once, whatever comes of it.
    for (Undo undo = undos.poll(); undo != null; undo = undos.poll()) {
      Undo one = undo;
      try {
        context.shielded(
            () -> {
              context.step(one.name, one.action);
              return null;
            });
      } catch (Unwound end) {
        throw end;
      } catch (Throwable failed) {
        if (first == null) first = failed;
        else if (first != failed) first.addSuppressed(failed);
      }
    }
    return first;
  }
}
