package dev.tenure.sharding.worker;

import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.task.TaskDesk;
import dev.tenure.workflow.operation.ActivityCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Takes what this node can run from the queues that belong to activities. */
public final class NodeWorkers implements AutoCloseable {
  private final List<QueueWorker> workers = new ArrayList<>();

  /**
   * @param name how the node calls itself, for people
   */
  public NodeWorkers(Host host, TaskDesk desk, String name) {
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
    workers.forEach(QueueWorker::start);
  }

  @Override
  public void close() {
    workers.forEach(QueueWorker::close);
  }
}
