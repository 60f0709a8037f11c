package dev.tenure.sharding.workflow;

import dev.tenure.workflow.kernel.Reply;
import dev.tenure.workflow.kernel.Status;
import dev.tenure.workflow.operation.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;

/** Those who wait for a workflow's end, or for the answer to an update. */
final class Askers {
  /** More are told to come again. */
  static final int MAX = 1_000;

  private final List<ActorRef<Answer>> ofTheEnd = new ArrayList<>(0);
  private final Map<String, List<ActorRef<Answer>>> ofUpdates = new HashMap<>(0);
  private int count;

  void awaitEnd(ActorRef<Answer> asker) {
    if (isFull(asker)) return;
    ofTheEnd.add(asker);
  }

  void awaitUpdate(String updateId, ActorRef<Answer> asker) {
    if (isFull(asker)) return;
    ofUpdates.computeIfAbsent(updateId, id -> new ArrayList<>(1)).add(asker);
  }

  /** Tells an asker what the kernel says; of an update, only its answer. */
  void answer(ActorRef<Answer> asker, Reply reply) {
    switch (reply) {
      case Reply.UpdatePending(String updateId) -> awaitUpdate(updateId, asker);
      case Reply.UpdateAnswered(String updateId, Outcome outcome) ->
          asker.tell(new Answer.Updated(outcome));
      case Reply.Done r -> asker.tell(new Answer.Said(r));
      case Reply.Started r -> asker.tell(new Answer.Said(r));
      case Reply.AlreadyStarted r -> asker.tell(new Answer.Said(r));
      case Reply.Unknown r -> asker.tell(new Answer.Said(r));
      case Reply.AlreadyEnded r -> asker.tell(new Answer.Said(r));
      case Reply.AlreadyDone r -> asker.tell(new Answer.Said(r));
      case Reply.NotOpen r -> asker.tell(new Answer.Said(r));
      case Reply.LimitReached r -> asker.tell(new Answer.Said(r));
      case Reply.Each r -> asker.tell(new Answer.Said(r));
    }
  }

  private boolean isFull(ActorRef<Answer> asker) {
    if (count >= MAX) {
      asker.tell(new Answer.Busy(MAX));
      return true;
    }
    count++;
    return false;
  }

  void ended(Status status, Outcome outcome) {
    for (ActorRef<Answer> asker : ofTheEnd) asker.tell(new Answer.Ended(status, outcome));
    count -= ofTheEnd.size();
    ofTheEnd.clear();
  }

  void updated(String updateId, Outcome outcome) {
    List<ActorRef<Answer>> askers = ofUpdates.remove(updateId);
    if (askers == null) return;
    count -= askers.size();
    for (ActorRef<Answer> asker : askers) asker.tell(new Answer.Updated(outcome));
  }

  /** The owner goes: the next one can be asked. */
  void dismiss(String why) {
    for (ActorRef<Answer> asker : ofTheEnd) asker.tell(new Answer.Again(why));
    ofUpdates.values().forEach(all -> all.forEach(one -> one.tell(new Answer.Again(why))));
    ofTheEnd.clear();
    ofUpdates.clear();
    count = 0;
  }

  boolean isEmpty() {
    return count == 0;
  }
}
