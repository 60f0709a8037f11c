package dev.tenure.sharding.program;

import dev.tenure.workflow.kernel.Incident;

/** Why a run of a program stops where it is: nothing that the program could answer to. */
public class ProgramFault extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The program itself threw what nobody expected. */
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
