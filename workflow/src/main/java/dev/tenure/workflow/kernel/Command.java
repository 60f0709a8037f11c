package dev.tenure.workflow.kernel;

import dev.tenure.workflow.LimitExceededException;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.StartPolicy;
import dev.tenure.workflow.Text;
import dev.tenure.workflow.Trace;
import dev.tenure.workflow.operation.AttemptRef;
import dev.tenure.workflow.operation.MessageGuid;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What clients, operators, other workflows and the owner tell a workflow. It may come twice, late,
 * or after the end.
 */
public sealed interface Command {
  /** Begins a run. It comes alone. */
  sealed interface Begins extends Command {}

  /** The result of an operation that the workflow had asked for. */
  sealed interface Result extends Command {}

  /** A request of a person, a client or another workflow. */
  sealed interface Order extends Command {}

  /** A person's order that needs a program which was replayed first. */
  sealed interface Repair extends Order {}

  /** Based on what the owner read or has in memory. Only the owner gives it, and only to itself. */
  sealed interface OfOwner extends Command {}

  /**
   * Creates the workflow, or another run of it. A repetition is recognised, from any sender.
   *
   * @param policy what it does when the id is taken
   */
  record StartWorkflow(Start start, StartPolicy policy) implements Begins {
    public StartWorkflow(Start start) {
      this(start, StartPolicy.REJECT_DUPLICATE);
    }
  }

  /** Creates the workflow with a history that {@link Fork} made. A repetition is recognised. */
  record ForkWorkflow(List<Event> events) implements Begins {
    public ForkWorkflow {
      events = List.copyOf(events);
    }

    Start start() {
      return Fork.start(events.getFirst());
    }
  }

  /** How one attempt at a step or an activity came out. */
  record AttemptEnded(OperationId operation, int attempt, Outcome outcome) implements Result {}

  /** The child exists now: it was created by our start message, or had been before. */
  record ChildAcknowledged(OperationId operation) implements Result {}

  /**
   * How a child came out, or why it never started. Also acknowledges the start message.
   *
   * @param started by which message the child was started, when it says so itself: an earlier run
   *     of the same workflow may have had an operation of the same name
   */
  record ChildEnded(OperationId operation, Outcome outcome, Optional<MessageGuid> started)
      implements Result {
    public ChildEnded(OperationId operation, Outcome outcome) {
      this(operation, outcome, Optional.empty());
    }
  }

  /** What became of a message: delivered, or a failure that says why it never will be. */
  record MessageAcknowledged(OperationId operation, Outcome outcome) implements Result {}

  /**
   * Signals as they stand in the inbox, in acceptance order, none left out between the first and
   * the last of a name (I14). Signals that the workflow does not wait for are left where they are.
   */
  record Signals(List<Arrival> arrivals) implements OfOwner {
    public Signals {
      arrivals = List.copyOf(arrivals);
    }
  }

  /**
   * One row of the inbox.
   *
   * @param position where it stands in the order of acceptance; later is larger
   */
  record Arrival(String signal, long position, String signalId, SignalContent content) {
    public Arrival(String signal, long position, String signalId, Payload payload) {
      this(signal, position, signalId, SignalContent.of(payload));
    }

    public Payload payload() {
      return content.payload();
    }

    public Optional<Trace> trace() {
      return content.trace();
    }
  }

  /**
   * Something may have become due: timers, retries, timeouts. Waits for signals do not time out by
   * it: a signal for them may stand in the inbox.
   */
  record Due() implements OfOwner {}

  /**
   * The owner read the inbox after the time of these waits was over, and has decided on all signals
   * that it found for them.
   */
  record NoSignal(List<OperationId> waits) implements OfOwner {
    public NoSignal {
      waits = List.copyOf(waits);
    }
  }

  /**
   * @param child the message that started the run that is meant; empty for any run that has the id
   */
  record Cancel(String reason, Optional<MessageGuid> child) implements Order {
    public Cancel {
      requireReason(reason);
    }

    public Cancel(String reason) {
      this(reason, Optional.empty());
    }
  }

  /**
   * Ends the workflow in any state, also when its code is not here.
   *
   * @param child the message that started the run that is meant; empty for any run that has the id
   */
  record Terminate(String reason, Optional<MessageGuid> child) implements Order {
    public Terminate {
      requireReason(reason);
    }

    public Terminate(String reason) {
      this(reason, Optional.empty());
    }
  }

  record Pause(String reason) implements Order {
    public Pause {
      requireReason(reason);
    }
  }

  record Resume() implements Order {}

  /**
   * A question that changes the workflow: admitted once per id, validated and answered by the
   * program.
   */
  record Update(String updateId, String name, Payload payload) implements Order {
    public static final int ID_BYTES_MAX = 128;
    public static final int NAME_BYTES_MAX = 256;

    String fingerprint() {
      return fingerprint(name, payload);
    }

    /** Tells apart two updates with the same id. */
    static String fingerprint(String name, Payload payload) {
      return name + ':' + payload.fingerprint();
    }

    public Update {
      Text.require("update id", updateId, ID_BYTES_MAX);
      Text.require("update name", name, NAME_BYTES_MAX);
    }
  }

  /** The owner's node has no code of the workflow's type and version. */
  record Block(String reason) implements OfOwner {
    public Block {
      requireReason(reason);
    }
  }

  /** The outside world does not agree with what the history says an activity did: the run fails. */
  record ResourceDiffers(OperationId operation, String evidence) implements OfOwner {}

  /** The workflow's owner found something that needs a person. */
  record RaiseIncident(Incident incident) implements OfOwner {}

  /**
   * A person says it may go on. Give it together with a program that was rebuilt and rehearsed.
   *
   * @param version that the program is of, when the run had none before: it is pinned to it
   */
  record ResolveIncident(String note, Optional<Integer> version) implements Repair {
    public ResolveIncident {
      requireReason(note);
    }

    public ResolveIncident(String note) {
      this(note, Optional.empty());
    }
  }

  /**
   * A person pins the run to another version of its code, also while something holds the run. Give
   * it together with a program of that version that was rebuilt and rehearsed.
   */
  record MoveToVersion(int version, String note) implements Repair {
    public MoveToVersion {
      requireReason(note);
      if (version < 1)
        throw new IllegalArgumentException("Version %d: count from 1.".formatted(version));
    }
  }

  /**
   * A person has a step or an activity tried again now, instead of later or never. If the workflow
   * stands still because of it, this resolves the incident: give it with a rebuilt program then.
   *
   * @param meant the attempt that the person saw to come next: only that one is made
   * @param note why, which stands with the resolved incident; may be empty
   */
  record Retry(AttemptRef meant, String note) implements Repair {
    public Retry {
      requireReason(note);
    }

    public OperationId operation() {
      return meant.operation();
    }
  }

  /**
   * A person says how an activity came out, of which that cannot be told. If the workflow stands
   * still because of it, this resolves the incident: give it with a rebuilt program then.
   *
   * @param meant the attempt that the person saw to come next; the one before it is concluded
   */
  record Conclude(AttemptRef meant, Outcome outcome, String note) implements Repair {
    public Conclude {
      requireReason(note);
      if (!(outcome instanceof Outcome.Succeeded) && !(outcome instanceof Outcome.Failed))
        throw new IllegalArgumentException(
            "An activity is concluded with a result or with a failure.");
    }

    public OperationId operation() {
      return meant.operation();
    }
  }

  /**
   * A new owner has taken the workflow up: it has folded the state and replayed the program.
   * Operations that were in flight with the old owner go out again.
   *
   * @param cameOut operations that ended with the old owner: their results follow, and they do not
   *     go out again
   */
  record Recovered(Set<OperationId> cameOut) implements OfOwner {
    public Recovered {
      cameOut = Set.copyOf(cameOut);
    }

    public Recovered() {
      this(Set.of());
    }
  }

  /**
   * The code asked for more than one commit holds, and a part of it was granted. This grants the
   * next part, before anything else comes to the workflow.
   */
  record GrantMore() implements OfOwner {}

  /** Several at once, in order, for one commit. */
  record Several(List<Command> commands) implements OfOwner {
    public Several {
      commands = List.copyOf(commands);
      for (Command command : commands)
        if (command instanceof Several
            || command instanceof StartWorkflow
            || command instanceof ForkWorkflow)
          throw new IllegalArgumentException(
              "Several holds single commands of a started workflow.");
    }
  }

  /** What people say about what they do. It may be empty. */
  int REASON_BYTES_MAX = 4_096;

  private static void requireReason(String reason) {
    long bytes = Text.utf8Bytes("reason", reason);
    if (bytes > REASON_BYTES_MAX)
      throw new LimitExceededException(
          "REASON_BYTES_MAX", bytes, REASON_BYTES_MAX, "Say it in fewer words.");
  }
}
