package dev.tenure.sharding.code;

import dev.tenure.sharding.branch.Attempt;
import dev.tenure.sharding.branch.WorkflowThread;
import dev.tenure.sharding.program.Runaway;
import dev.tenure.sharding.program.StuckReason;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A thread of workflow code that did not come to a wait in time.
 *
 * @param spins whether it computes, and so keeps its carrier
 * @param spinning gets threads that keep their carriers
 */
record LostThread(Thread thread, boolean spins, Consumer<Thread> spinning) implements Runaway {
  private static final int FRAMES_MAX = 12;

  static StuckReason stuckReason(WorkflowThread running, Consumer<Thread> spinning) {
    Attempt step = running.running();
    if (step != null) return new StuckReason.InStep(step.step.id.value());
    Thread thread = running.thread();
    if (thread == null)
      return new StuckReason.InCode(
          new LostThread(Thread.currentThread(), false, spinning), "its thread is starting");
    Thread.State state = thread.getState();
    String where =
        Arrays.stream(thread.getStackTrace())
            .limit(FRAMES_MAX)
            .map(frame -> "  at " + frame)
            .collect(Collectors.joining("\n"));
    boolean spins = state == Thread.State.RUNNABLE;
    return new StuckReason.InCode(new LostThread(thread, spins, spinning), state + "\n" + where);
  }

  @Override
  public boolean isAlive() {
    return thread.isAlive();
  }

  @Override
  public void abandon() {
    if (spins) spinning.accept(thread);
    else thread.interrupt();
  }
}
