package dev.tenure.workflow;

import java.time.Duration;
import java.util.Optional;

/** The signals of one name, one after the other in the order in which they were accepted. */
public interface SignalChannel<T> {
  T receive();

  /** Empty when none came in time. */
  Optional<T> receive(Duration timeout);

  /** Waits for the next one while the code does other things. */
  Handle<T> receiveAsync();
}
