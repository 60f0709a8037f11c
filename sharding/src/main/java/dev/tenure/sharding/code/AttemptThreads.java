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
 * The threads that attempts at steps run on: the thread of the branch that waits only for the step,
 * or a thread for the attempt alone.
 */
final class AttemptThreads {
  private final CodeProgram program;

  /** The attempts that run on threads of their own. */
  private final Set<Attempt> apart = ConcurrentHashMap.newKeySet(1);

  AttemptThreads(CodeProgram program) {
    this.program = program;
  }

  /** For each attempt the thread of the branch that waits only for it; null when there is none. */
  static List<WorkflowThread> hosts(List<Attempt> attempts) {
    List<WorkflowThread> hosts = new ArrayList<>(attempts.size());
    // A thread that is still in an earlier attempt, which ignored its interrupt, cannot run this
    // one.
    for (Attempt one : attempts) {
      WorkflowThread host = one.step.host;
      hosts.add(host != null && host.running() == null ? host : null);
    }
    return hosts;
  }

  void start(Attempt attempt, WorkflowThread host, ExecutionGate gate) {
    BranchScheduler scheduler = program.scheduler();
    if (scheduler.isDestroyed() || !attempt.begins(gate)) return;
    if (host != null) {
      host.run(attempt);
      return;
    }
    apart.add(attempt);
    // The run may have been given up just before the attempt was added.
    if (scheduler.isDestroyed()) attempt.stop();
    program.thread(program.threadName() + attempt.number, () -> run(attempt)).start();
  }

  private void run(Attempt attempt) {
    try (TraceMdc logged = TraceMdc.under(program.scheduler().start())) {
      attempt.run().ifPresent(outcome -> program.tell(attempt, outcome));
      attempt.ends();
    } finally {
      apart.remove(attempt);
    }
  }

  /** The run is given up: nothing uses the results of these attempts. */
  void stop() {
    for (Attempt one : apart) one.stop();
  }
}
