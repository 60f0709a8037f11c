package dev.tenure.sharding.message;

/** Who waits for an answer, on whichever node. */
public interface ReplyTo {
  void tell(Answer answer);
}
