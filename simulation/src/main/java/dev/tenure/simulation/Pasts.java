package dev.tenure.simulation;

import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.workflow.audit.Violation;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Fork;
import dev.tenure.workflow.operation.OperationId;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * I3 of forks: what came out before a fork is what came out in the other workflow before the
 * operation, in the same order, and nothing else.
 */
final class Pasts {
  private Pasts() {}

  static void require(String id, List<Event> events, Function<String, List<JournalEntry>> stepsOf) {
    for (int at = 0; at < events.size(); at++) {
      if (!(events.get(at) instanceof Event.Forked(var when, Fork.Source source))) continue;
      List<Event> theirs =
          stepsOf.apply(source.id().value()).stream()
              .filter(entry -> entry.head().version() <= source.version())
              .flatMap(entry -> entry.events().stream())
              .toList();
      List<Event> run = newestRun(theirs);
      Map<OperationId, String> wanted = outcomes(before(run, source.operation()));
      wanted.keySet().removeAll(notReceived(run));
      Map<OperationId, String> got = outcomes(events.subList(0, at));
      Violation.require(
          List.copyOf(wanted.entrySet()).equals(List.copyOf(got.entrySet())),
          "I3",
          "%s does not have the past of %s before %s: %s, not %s"
              .formatted(id, source.id(), source.operation(), got.keySet(), wanted.keySet()));
    }
  }

  private static List<Event> newestRun(List<Event> history) {
    int begin = 0;
    for (int at = 0; at < history.size(); at++) if (Fork.followsRun(history.get(at))) begin = at;
    return history.subList(begin, history.size());
  }

  /** What is before the operation was first asked for. */
  private static List<Event> before(List<Event> run, OperationId operation) {
    for (int at = 0; at < run.size(); at++) {
      Event event = run.get(at);
      boolean asks =
          event instanceof Event.Scheduled one && one.operation().equals(operation)
              || event instanceof Event.ValueRecorded value && value.operation().equals(operation);
      if (asks) return run.subList(0, at);
    }
    return List.of();
  }

  /** Waits whose signals went back into the other workflow's inbox: its code never got them. */
  private static Set<OperationId> notReceived(List<Event> run) {
    Set<OperationId> waits = new HashSet<>();
    for (Event event : run)
      if (event instanceof Event.SignalReturned back) waits.add(back.operation());
    return waits;
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
        case Event.BeginsRun _,
            Event.OfRun _,
            Event.OfEngine _,
            Event.Scheduled _,
            Event.Spawned _,
            Event.Reentered _,
            Event.ChildStarted _,
            Event.Completed _,
            Event.SignalReturned _,
            Event.Abandoned _,
            Event.LetGo _,
            Event.GivenUp _,
            Event.SourceChildStarted _,
            Event.SourceSignalNotReceived _ -> {}
      }
    return found;
  }
}
