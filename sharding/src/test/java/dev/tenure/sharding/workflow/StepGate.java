package dev.tenure.sharding.workflow;

import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.operation.OperationId;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A step that runs until the test lets it go on. */
final class StepGate {
  private final CountDownLatch arrived = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);
  final AtomicInteger passed = new AtomicInteger();

  String pass() throws InterruptedException {
    arrived.countDown();
    open.await();
    passed.incrementAndGet();
    return "passed";
  }

  void awaitArrival() {
    Await.until("the step runs", TestNode.SOON, () -> arrived.getCount() == 0);
  }

  void open() {
    open.countDown();
  }

  static void awaitCompleted(TestNode node, String id, String operation) {
    Await.until(
        operation + " is over",
        TestNode.SOON,
        () ->
            node.events(id).stream()
                .anyMatch(
                    event ->
                        event instanceof Event.Completed completed
                            && completed.operation().equals(new OperationId(operation))));
  }
}
