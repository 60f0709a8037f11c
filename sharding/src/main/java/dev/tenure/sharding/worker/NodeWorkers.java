package dev.tenure.sharding.worker;

import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.task.TaskDesk;
import dev.tenure.workflow.ActivityRouting;
import dev.tenure.workflow.operation.ActivityCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Takes what this node can run from the queues that belong to activities. */
public final class NodeWorkers implements AutoCloseable {
  /** A shorter visibility timeout could pass between two reports. */
  private static final Duration REPORT_EVERY = ActivityRouting.VISIBILITY_MIN.dividedBy(3);

  private final Host host;
  private final List<QueueWorker> workers = new ArrayList<>();
  private volatile boolean closed;

  /**
   * @param name how the node calls itself, for people
   */
  public NodeWorkers(Host host, TaskDesk desk, String name) {
    this.host = host;
    for (Map.Entry<String, Integer> own : host.activities.ofNodeQueues().entrySet())
      workers.add(
          new QueueWorker(
              host,
              desk,
              name,
              ActivityCall.nodeQueue(own.getKey()),
              own.getKey(),
              own.getValue()));
  }

  public void start() {
    workers.forEach(QueueWorker::poll);
    reportLife();
  }

  private void reportLife() {
    if (closed || workers.isEmpty()) return;
    workers.forEach(QueueWorker::reportLife);
    // Places that other calls have left are found here.
    workers.forEach(QueueWorker::poll);
    host.timers.after(REPORT_EVERY, this::reportLife);
  }

  @Override
  public void close() {
    closed = true;
    workers.forEach(QueueWorker::close);
  }
}
