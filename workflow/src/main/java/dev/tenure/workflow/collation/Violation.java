package dev.tenure.workflow.collation;

/** Why a digit was not set. Nothing changed. */
public sealed interface Violation {
  /** The step does not fit below its ceiling: fail fast and escalate. */
  record Ceiling(Limit limit, long value, long increment) implements Violation {
    @Override
    public String message() {
      return "%s is at %d, %d more would pass its limit of %d. %s"
          .formatted(limit, value, increment, limit.largest(), limit.advice());
    }
  }

  /** A digit comes before its turn. */
  record OutOfOrder(Marker wanted, Marker missing) implements Violation {
    @Override
    public String message() {
      return "%s needs %s first. Commit the earlier step, then try again."
          .formatted(wanted, missing);
    }
  }

  /** This kind of activity never sets that digit in that leg. */
  record NotItsDigit(ActivityKind kind, Marker wanted) implements Violation {
    @Override
    public String message() {
      return "A %s of category %s does not set %s here. Ask Transition.next() what it does."
          .formatted(kind, kind.category(), wanted);
    }
  }

  /** Another message already completed this Leg1: acknowledge this one. */
  record Stale() implements Violation {
    @Override
    public String message() {
      return "Another message completed this Leg1. Acknowledge this one, it has nothing to do.";
    }
  }

  /** The activity ran the job's completion tasks and takes no new message: acknowledge it. */
  record Finalized() implements Violation {
    @Override
    public String message() {
      return "The activity is finalized and takes no new Leg2 message. Acknowledge this one.";
    }
  }

  /** No obligation is open, so none can be discharged: acknowledge the message (I10). */
  record JobClosed() implements Violation {
    @Override
    public String message() {
      return "The job has no open obligation left. Acknowledge the message.";
    }
  }

  /** Completion tasks belong to the one message that closed the job (I11): acknowledge this one. */
  record NotTheCloser() implements Violation {
    @Override
    public String message() {
      return "This message did not close the job, so its completion tasks are not its own."
          + " Acknowledge it.";
    }
  }

  /** What stood in the way and what to do now. */
  String message();
}
