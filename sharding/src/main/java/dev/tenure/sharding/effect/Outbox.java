package dev.tenure.sharding.effect;

import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.kernel.Effect;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.operation.MessageContent;
import dev.tenure.workflow.operation.MessageGuid;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The messages of a workflow to others that may not go out yet. Messages to one and the same
 * workflow must arrive in order: a message that was asked for after a start waits until the start
 * is acknowledged, and a start waits for the starts, the cancels and the terminates that were asked
 * for before it.
 */
final class Outbox {
  private List<Effect.Deliver> waiting = new ArrayList<>(0);

  void add(Effect.Deliver effect) {
    waiting.add(effect);
  }

  /** The messages that may go out now, in the order in which they were asked for. */
  List<Effect.Deliver> release(WorkflowState state) {
    if (waiting.isEmpty()) return List.of();
    Oldest oldest = new Oldest(state);
    List<Effect.Deliver> released = new ArrayList<>(waiting.size());
    List<Effect.Deliver> held = new ArrayList<>(0);
    for (Effect.Deliver effect : waiting)
      (oldest.isBefore(effect, state) ? held : released).add(effect);
    waiting = held;
    return released;
  }

  /** For each workflow, the oldest message that is on its way to it. */
  private static final class Oldest {
    /**
     * The place of a cancel or a terminate that names a child. Its start is acknowledged, while the
     * message may be asked for later than another start that still waits.
     */
    private static final long BEFORE_ALL = -1;

    private final Map<WorkflowId, Long> starts = new HashMap<>();
    private final Map<WorkflowId, Long> stops = new HashMap<>();

    Oldest(WorkflowState state) {
      for (Operation one : state.openOperations())
        if ((one.phase() == OperationPhase.SENDING || one.phase() == OperationPhase.LET_GO)
            && one.spec() instanceof OperationSpec.Delivered spec) add(spec, one.order());
    }

    private void add(OperationSpec.Delivered spec, long order) {
      switch (spec) {
        case OperationSpec.Child child -> starts.merge(child.id(), order, Math::min);
        case OperationSpec.Message(WorkflowId target, MessageContent content) ->
            stop(content, order).ifPresent(place -> stops.merge(target, place, Math::min));
      }
    }

    /** The place of a cancel or a terminate among the operations; empty for other messages. */
    private static Optional<Long> stop(MessageContent content, long order) {
      boolean stops =
          content instanceof MessageContent.Cancel || content instanceof MessageContent.Terminate;
      if (!stops) return Optional.empty();
      return Optional.of(meantChild(content).isPresent() ? BEFORE_ALL : order);
    }

    private static Optional<MessageGuid> meantChild(MessageContent content) {
      return switch (content) {
        case MessageContent.Cancel(var reason, var child) -> child;
        case MessageContent.Terminate(var reason, var child) -> child;
        case MessageContent.Signal signal -> Optional.empty();
        case MessageContent.ChildEnded ended -> Optional.empty();
      };
    }

    boolean isBefore(Effect.Deliver effect, WorkflowState state) {
      return switch (effect) {
        // The start of the child that is named is acknowledged. Another start of that id does not
        // concern the message.
        case Effect.Send send when meantChild(send.spec().content()).isPresent() -> false;
        case Effect.Send send -> isBefore(starts, send.spec().target(), send.operation(), state);
        case Effect.StartChild start ->
            isBefore(starts, start.spec().id(), start.operation(), state)
                || isBefore(stops, start.spec().id(), start.operation(), state);
      };
    }

    private static boolean isBefore(
        Map<WorkflowId, Long> oldest, WorkflowId target, OperationId id, WorkflowState state) {
      Long first = oldest.get(target);
      return first != null
          && state.operation(id).map(Operation::order).orElse(Long.MAX_VALUE) > first;
    }
  }
}
