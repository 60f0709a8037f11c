package dev.tenure.sharding.message;

/** The receiver of an answer, on any node. */
public interface ReplyTo {
  void tell(Answer answer);
}
