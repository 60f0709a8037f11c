package dev.tenure.sharding.loop;

import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.task.TakenTask;
import dev.tenure.persistence.task.TaskId;
import dev.tenure.persistence.task.TaskToken;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.persistence.task.Tasks.Heard;
import dev.tenure.persistence.task.Tasks.Report;
import dev.tenure.sharding.activity.Activities;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.sharding.activity.ActivityTask;
import dev.tenure.sharding.activity.AttemptStop;
import dev.tenure.sharding.host.TaskQueues;
import dev.tenure.sharding.message.Message;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.operation.ActivityCall;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Takes the tasks of all queues whose code is on this node of a loop, also of those that workers
 * elsewhere would take: a test has no other workers.
 */
final class LoopWorkers implements TaskQueues {
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
  private static final Duration REPORT_PAUSE = Duration.ofMillis(200);
  private static final int TAKEN_AT_ONCE = 10;
  private static final int EXPIRED_AT_ONCE = 500;
  private static final int QUEUES_MAX = 1_000;

  private final LoopNode node;
  private final Activities activities;
  private final Set<String> names;

  /** The queues that the activities of this node name. */
  private final Set<String> own;

  private final Map<TaskToken, Holder> held = new LinkedHashMap<>();
  private long secrets;
  private boolean looksLater;

  /** Until then an outcome may become old of which no message told its owner. */
  private long looksUntil;

  LoopWorkers(
      LoopNode node,
      Activities activities,
      Collection<? extends ActivityRegistration<?, ?>> registrations) {
    this.node = node;
    this.activities = activities;
    this.names = activities.names();
    this.own =
        registrations.stream()
            .map(one -> one.definition())
            .filter(one -> one.routing().isQueued())
            .map(one -> one.routing().queue().orElseGet(() -> ActivityCall.nodeQueue(one.name())))
            .collect(Collectors.toSet());
  }

  @Override
  public void offered(String queue) {
    if (names.isEmpty()) return;
    node.soon("a take from queue " + queue, () -> untilStored(() -> take(queue)));
  }

  private void awaitTaking() {
    looksUntil = node.host.nanos.getAsLong() + Tasks.TAKEN_WITHIN.plus(LOOK_EVERY).toNanos();
    lookLater();
  }

  /** Also for outcomes of which no message tells an owner that has begun here. */
  void lookForUntaken() {
    if (names.isEmpty()) return;
    awaitTaking();
    look();
  }

  /** Looks for tasks of which nobody told this node, and for workers that are lost. */
  void look() {
    if (names.isEmpty()) return;
    untilStored(
        () -> {
          List<TaskId> lost = tasks().expire(EXPIRED_AT_ONCE).look();
          lost.forEach(this::wake);
          for (String queue : tasks().queues(QUEUES_MAX)) take(queue);
          if (isAnyOpen()) lookLater();
        });
  }

  /**
   * Whether time may change what waits: the worker of a task may be lost, or a rate may keep back
   * what this node could run, or an outcome may not be taken.
   */
  private boolean isAnyOpen() {
    if (node.host.nanos.getAsLong() - looksUntil < 0) return true;
    for (String queue : tasks().queues(QUEUES_MAX)) {
      Tasks.QueueView view = tasks().view(queue, 0);
      if (view.taken() > 0 || view.waiting() > 0 && own.contains(queue)) return true;
    }
    return false;
  }

  private void lookLater() {
    if (looksLater) return;
    looksLater = true;
    node.after(
        LOOK_EVERY,
        "a look at queues",
        () -> {
          looksLater = false;
          look();
        });
  }

  private void untilStored(Runnable work) {
    try {
      work.run();
    } catch (StorageException away) {
      lookLater();
    }
  }

  private Tasks tasks() {
    return node.storage.tasks();
  }

  private void wake(TaskId task) {
    node.host.transport.tell(task.workflow(), Message.WakeUp.WAKE_UP);
  }

  private void take(String queue) {
    Tasks.Poll poll = new Tasks.Poll(node.name, names, TAKEN_AT_ONCE);
    List<TakenTask> taken =
        tasks().take(queue, List.of(poll), () -> node.name + " " + ++secrets).getFirst();
    taken.forEach(this::run);
    if (taken.size() == TAKEN_AT_ONCE) offered(queue);
    // Its worker may be lost with this node, and another one has to look.
    if (!taken.isEmpty()) lookLater();
  }

  private void run(TakenTask taken) {
    Holder holder = new Holder(taken);
    held.put(taken.token(), holder);
    Optional<Runnable> stop = activities.offerTaken(ActivityTask.taken(taken.offer()), holder);
    if (stop.isPresent()) holder.stop.is(stop.get());
    else {
      held.remove(taken.token());
      report(taken, new Report.Returned(taken.token()));
    }
  }

  /** What the attempt says reaches the store when its owner would hear of it. */
  private final class Holder implements Activities.Asker {
    private final TakenTask taken;
    private final AttemptStop stop = new AttemptStop();

    private Holder(TakenTask taken) {
      this.taken = taken;
    }

    @Override
    public void isTimed() {
      node.host.watchActivities();
    }

    @Override
    public Payload detailsBefore() {
      return taken.details().orElse(Payload.NONE);
    }

    @Override
    public void said(Payload details) {
      try {
        tasks()
            .hear(List.of(new Report.Alive(taken.token(), Optional.empty(), Optional.of(details))));
      } catch (StorageException away) {
        // The next heartbeat says more; a worker that comes through with none counts as lost.
        lookLater();
      }
    }

    @Override
    public void ended(Outcome outcome) {
      if (held.remove(taken.token()) == null) return;
      report(taken, new Report.Ended(taken.token(), outcome));
    }
  }

  private void report(TakenTask taken, Report report) {
    try {
      tasks().hear(List.of(report));
    } catch (StorageException away) {
      node.after(REPORT_PAUSE, "a report", () -> report(taken, report));
      return;
    }
    if (report instanceof Report.Ended) {
      wake(taken.offer().id());
      awaitTaking();
    }
    // Another call may have waited for the end of this one.
    offered(taken.offer().queueing().queue());
  }

  /** Time has passed: what this node still has is kept, and what it has not any more is stopped. */
  void timePasses() {
    for (TaskToken token : List.copyOf(held.keySet())) {
      Report alive = new Report.Alive(token, Optional.empty(), Optional.empty());
      Heard heard;
      try {
        heard = tasks().hear(List.of(alive)).getFirst();
      } catch (StorageException away) {
        continue;
      }
      if (heard instanceof Heard.Rejected) held.remove(token).stop.stop();
    }
  }
}
