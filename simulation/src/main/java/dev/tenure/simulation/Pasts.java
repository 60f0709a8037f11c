package dev.tenure.simulation;

import dev.tenure.persistence.step.Step;
import dev.tenure.workflow.audit.Violation;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Fork;
import dev.tenure.workflow.operation.OperationId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * I3 of forks: what came out before a fork is what came out in the other workflow before the
 * operation, in the same order, and nothing else.
 */
final class Pasts {
  private Pasts() {}

  static void require(String id, List<Event> events, Function<String, List<Step>> stepsOf) {
    for (int at = 0; at < events.size(); at++) {
      if (!(events.get(at) instanceof Event.Forked(var when, Fork.Source source))) continue;
      List<Event> theirs =
          stepsOf.apply(source.id().value()).stream()
              .filter(step -> step.head().version() <= source.version())
              .flatMap(step -> step.events().stream())
              .toList();
      Map<OperationId, String> wanted = outcomes(before(theirs, source.operation()));
      Map<OperationId, String> got = outcomes(events.subList(0, at));
      Violation.require(
          List.copyOf(wanted.entrySet()).equals(List.copyOf(got.entrySet())),
          "I3",
          "%s does not have the past of %s before %s: %s, not %s"
              .formatted(id, source.id(), source.operation(), got.keySet(), wanted.keySet()));
    }
  }

  /** Of the newest run, what is before the operation was first asked for. */
  private static List<Event> before(List<Event> history, OperationId operation) {
    int begin = 0;
    int end = -1;
    for (int at = 0; at < history.size(); at++) {
      Event event = history.get(at);
      if (Fork.followsRun(event)) {
        begin = at;
        end = -1;
      }
      boolean asks =
          event instanceof Event.Scheduled one && one.operation().equals(operation)
              || event instanceof Event.ValueRecorded value && value.operation().equals(operation);
      if (asks && end < 0) end = at;
    }
    return end < 0 ? List.of() : history.subList(begin, end);
  }

  private static Map<OperationId, String> outcomes(List<Event> events) {
    Map<OperationId, String> found = new LinkedHashMap<>();
    for (Event event : events)
      switch (event) {
        case Event.Completed e when !e.operation().isEngines() ->
            found.put(
                e.operation(),
                e.outcome() instanceof dev.tenure.workflow.operation.Outcome.Succeeded value
                    ? value.value().fingerprint()
                    : e.outcome().toString());
        case Event.SignalConsumed e ->
            found.put(e.operation(), e.arrival().payload().fingerprint());
        case Event.ValueRecorded e -> found.put(e.operation(), e.value().fingerprint());
        case Event other -> {}
      }
    return found;
  }
}
