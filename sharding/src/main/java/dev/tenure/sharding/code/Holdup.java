package dev.tenure.sharding.code;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Why code does not come back. */
public sealed interface Holdup {
  int FRAMES_MAX = 12;

  /** It blocks, or loops, between two calls of the context. */
  record InCode(Thread thread, boolean spins, String where) implements Holdup {}

  /** It could go on, but a step that nobody wants any more does not give its thread back. */
  record InStep(String step) implements Holdup {}

  static Holdup of(Strand strand) {
    Attempt step = strand.running();
    if (step != null) return new InStep(step.step.id.value());
    Thread thread = strand.thread();
    if (thread == null) return new InCode(Thread.currentThread(), false, "its thread is starting");
    Thread.State state = thread.getState();
    String where =
        Arrays.stream(thread.getStackTrace())
            .limit(FRAMES_MAX)
            .map(frame -> "  at " + frame)
            .collect(Collectors.joining("\n"));
    return new InCode(thread, state == Thread.State.RUNNABLE, state + "\n" + where);
  }
}
