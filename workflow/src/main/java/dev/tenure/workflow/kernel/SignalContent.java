package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Payload;
import dev.tenure.workflow.Trace;
import java.util.Optional;

/**
 * What a signal brings to its workflow, from its sender through the inbox into the history. Its
 * name, its id and its place say which signal it is, and stand beside it.
 *
 * @param trace that it was sent in
 */
public record SignalContent(Payload payload, Optional<Trace> trace) {
  public static SignalContent of(Payload payload) {
    return new SignalContent(payload, Optional.empty());
  }

  /** The same with another form of the payload. */
  public SignalContent with(Payload other) {
    return new SignalContent(other, trace);
  }
}
