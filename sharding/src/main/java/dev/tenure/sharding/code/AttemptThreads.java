package dev.tenure.sharding.code;

import dev.tenure.sharding.branch.Attempt;
import dev.tenure.sharding.branch.BranchScheduler;
import dev.tenure.sharding.branch.ExecutionGate;
import dev.tenure.sharding.branch.TraceMdc;
import dev.tenure.sharding.branch.WorkflowThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What attempts at steps run on: the strand that waits for nothing but its step, or a thread for
 * the attempt alone.
 */
final class AttemptThreads {
  private final CodeProgram program;

  /** Those that run on threads of their own. */
  private final Set<Attempt> apart = ConcurrentHashMap.newKeySet(1);

  AttemptThreads(CodeProgram program) {
    this.program = program;
  }

  /** For each the strand that it can run on, null when there is none. */
  static List<WorkflowThread> hosts(List<Attempt> attempts) {
    List<WorkflowThread> hosts = new ArrayList<>(attempts.size());
    // A thread that is still in an earlier attempt, which does not heed its interrupt, is no host.
    for (Attempt one : attempts) {
      WorkflowThread host = one.step.host;
      hosts.add(host != null && host.running() == null ? host : null);
    }
    return hosts;
  }

  void start(Attempt attempt, WorkflowThread host, ExecutionGate pace) {
    BranchScheduler stage = program.stage();
    if (stage.isDestroyed() || !attempt.begins(pace)) return;
    if (host != null) {
      host.run(attempt);
      return;
    }
    apart.add(attempt);
    // The run may have been given up just before the attempt could be found there.
    if (stage.isDestroyed()) attempt.stop();
    program.thread(program.threadName() + attempt.number, () -> run(attempt)).start();
  }

  private void run(Attempt attempt) {
    try (TraceMdc logged = TraceMdc.under(program.stage().start())) {
      attempt.run().ifPresent(outcome -> program.tell(attempt, outcome));
      attempt.ends();
    } finally {
      apart.remove(attempt);
    }
  }

  /** The run is given up: nobody wants what they would come to. */
  void stop() {
    for (Attempt one : apart) one.stop();
  }
}
