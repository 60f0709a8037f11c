package dev.tenure.sharding.workflow;

/** Who waits for an answer, on whichever node. */
public interface Asker {
  void tell(Answer answer);
}
