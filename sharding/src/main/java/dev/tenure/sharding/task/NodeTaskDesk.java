package dev.tenure.sharding.task;

import dev.tenure.persistence.task.Tasks;
import dev.tenure.workflow.Payload;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.apache.pekko.actor.typed.ActorSystem;

/** Puts the desk of a node together. */
public final class NodeTaskDesk {
  private NodeTaskDesk() {}

  /**
   * The desk, which looks for work from now on, and hears the other nodes.
   *
   * @param answers runs what depends on an answer to a worker
   * @param received turns what a worker sends into what is stored
   */
  public static TaskDesk start(
      ActorSystem<?> system,
      Tasks tasks,
      Tasks.Secrets secrets,
      Owners owners,
      TaskDesk.Pauses pauses,
      LongSupplier nanos,
      Executor blocking,
      Executor answers,
      UnaryOperator<Payload> received) {
    // The topic is joined before there is a desk: what it says until then, the first look finds.
    AtomicReference<TaskDesk> desk = new AtomicReference<>();
    QueueHints hints = ClusterQueueHints.start(system, queues -> heard(desk.get(), queues));
    desk.set(
        new TaskDesk(
            new TaskDesk.Setup(
                tasks,
                new MergedTaskCalls(tasks, secrets),
                owners,
                hints,
                pauses,
                nanos,
                blocking,
                answers,
                received,
                TaskDesk.Limits.DEFAULT)));
    desk.get().start();
    return desk.get();
  }

  private static void heard(TaskDesk desk, Set<String> queues) {
    if (desk != null) desk.heard(queues);
  }
}
