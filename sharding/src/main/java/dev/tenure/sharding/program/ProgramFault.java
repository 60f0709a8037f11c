package dev.tenure.sharding.program;

import dev.tenure.workflow.kernel.Incident;

/** Thrown when a run of a program cannot go on, for a reason that the program cannot handle. */
public class ProgramFault extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The program threw an exception that is not meant as a failure of the workflow. */
  public static final String BUG = "bug";

  private final String kind;

  public ProgramFault(String kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public String kind() {
    return kind;
  }

  public Incident incident() {
    return new Incident.Other(kind, getMessage());
  }
}
