package dev.tenure.simulation;

import dev.tenure.sharding.loop.LoopNode;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.audit.Violation;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The requests that nodes have got: each is answered there or sent on, unless the node dies before.
 * Callers ask again, so their answers alone would not show that a request was lost.
 */
final class Requests {
  /** How often it arrived at nodes that live, and how often it was answered or sent on. */
  private static final class Request {
    final WorkflowId id;
    final List<LoopNode> arrivedAt = new ArrayList<>(1);
    int settled;

    Request(WorkflowId id) {
      this.id = id;
    }

    boolean isSettled() {
      return settled >= arrivedAt.size();
    }
  }

  private final Map<Object, Request> all = new IdentityHashMap<>();

  void arrived(LoopNode node, WorkflowId id, Object request) {
    all.computeIfAbsent(request, one -> new Request(id)).arrivedAt.add(node);
  }

  void settled(Object request) {
    all.computeIfPresent(
        request,
        (key, one) -> {
          one.settled++;
          return one;
        });
  }

  void died(LoopNode node) {
    for (Request one : all.values()) one.arrivedAt.removeIf(node::equals);
  }

  boolean areSettled() {
    return all.values().stream().allMatch(Request::isSettled);
  }

  /** Nothing is left to do: by now each is answered. */
  void require() {
    for (Request one : all.values())
      Violation.require(
          one.isSettled(),
          "I1",
          "%s never answered a request to %s"
              .formatted(one.arrivedAt.stream().map(LoopNode::name).toList(), one.id));
  }
}
