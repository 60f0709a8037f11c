package dev.tenure.sharding.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.sharding.message.Answer;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.message.WorkflowTransport;
import dev.tenure.sharding.process.Await;
import dev.tenure.workflow.WorkflowId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Requests that are sent once, by somebody who counts the answers. */
final class Requests {
  private final WorkflowTransport transport;
  private final WorkflowId id;
  private final ConcurrentLinkedQueue<Answer> answers = new ConcurrentLinkedQueue<>();
  private final AtomicInteger asked = new AtomicInteger();

  Requests(WorkflowTransport transport, String id) {
    this.transport = transport;
    this.id = WorkflowId.of(id);
  }

  /** Asks for a description. */
  void ask() {
    asked.incrementAndGet();
    transport.tell(id, new Message.Describe(answers::add));
  }

  void ask(int times) {
    for (int i = 0; i < times; i++) ask();
  }

  int asked() {
    return asked.get();
  }

  private Map<String, Integer> kinds() {
    Map<String, Integer> kinds = new TreeMap<>();
    for (Answer one : answers) kinds.merge(one.getClass().getSimpleName(), 1, Integer::sum);
    return kinds;
  }

  /** Waits until each was answered: with what it asked for, or so that it can ask again. */
  void awaitAnswers() {
    Await.until(
        asked + " requests, answered are " + kinds(),
        TestNode.SOON,
        () -> answers.size() >= asked.get());
    assertAnswered();
  }

  /** How many were answered with what they asked for. */
  int described() {
    return kinds().getOrDefault("Described", 0);
  }

  @Override
  public String toString() {
    return "%d requests for %s, answered with %s".formatted(asked(), id, kinds());
  }

  void assertAnswered() {
    assertThat(answers).as("%s", kinds()).hasSize(asked.get());
    assertThat(kinds().keySet()).isSubsetOf(List.of("Described", "Again"));
    // Who can only ask again for ever is not answered.
    assertThat(described()).as("%s", this).isPositive();
  }
}
