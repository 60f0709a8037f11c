package dev.tenure.sharding.workflow;

import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Incident;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What outlives an owner that starts anew within its actor: who waits, and what must be decided
 * before anything else is.
 */
final class Carry {
  /** Not taken up yet, the oldest first. */
  final Deque<Message.Turn> waiting = new ArrayDeque<>();

  /** Taken up by the last owner, who could not bring it to an end. */
  final Deque<Message.Turn> first = new ArrayDeque<>();

  /** What steps and activities came to, and was not committed. */
  final CarriedResults results = new CarriedResults();

  /** Asked messages that arrived and were not taken up: in the mailbox's stash or waiting here. */
  private int asked;

  /** What comes now is for the actor's successor, whom the shard starts with it. */
  private volatile boolean leaving;

  void leaves() {
    leaving = true;
  }

  boolean isLeaving() {
    return leaving;
  }

  /** False when too many wait. */
  boolean arrives() {
    if (asked >= WorkflowSettings.WAITING_MAX) return false;
    asked++;
    return true;
  }

  void takenUp(Message message) {
    // What was put back and is taken up again was counted when it arrived.
    if (message instanceof Message.Asked && asked > 0) asked--;
  }

  /** Whether it needs a program that was rebuilt and rehearsed first. */
  static boolean mends(Message message) {
    return message instanceof Message.Tell(Command command, var asker) && mends(command);
  }

  static boolean mends(Command command) {
    return command instanceof Command.ResolveIncident
        || command instanceof Command.MoveToVersion
        || command instanceof Command.Retry;
  }

  /** Answers a message that asks for mending; false when it asks for something else. */
  static boolean refusesToMend(Message message, String why) {
    if (!mends(message)) return false;
    ((Message.Tell) message).replyTo().tell(new Answer.NotNow(why));
    return true;
  }

  /** Nothing else is decided before it. */
  void raise(Incident incident) {
    waiting.removeIf(message -> refusesToMend(message, incident.message()));
    waiting.addFirst(new Message.Own(new Command.RaiseIncident(incident)));
  }
}
