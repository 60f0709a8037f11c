package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Payload;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a program learns, one at a time and in the order of the history. The same news in the same
 * order make the same wishes, however they are batched.
 */
public sealed interface News {
  /** The workflow's time while the program handles this. */
  Instant at();

  record Started(Instant at, Start start) implements News {}

  /**
   * @param signal that the operation consumed; a program that does not receive it gives it back
   */
  record Completed(
      Instant at, OperationId operation, Outcome outcome, Optional<Command.Arrival> signal)
      implements News {
    public Completed(Instant at, OperationId operation, Outcome outcome) {
      this(at, operation, outcome, Optional.empty());
    }
  }

  /**
   * The child exists. It may already have come out when this is not known yet. A fork that asked
   * for a child of its own learns it twice: of its source's child, and of its own.
   */
  record ChildStarted(Instant at, OperationId operation) implements News {}

  /**
   * In a fork: its source's program was told here of a signal that it gave back, then or later. It
   * ends no wait. A program that decides by its time or by how much it was told does so as the
   * source's; any other passes over it.
   *
   * @param operation the wait that the signal was for, whether the program still waits or not
   * @param bytes of the signal's payload
   */
  record SignalNotReceived(Instant at, OperationId operation, int bytes) implements News {}

  record CancelRequested(Instant at, String reason) implements News {}

  record UpdateArrived(Instant at, String updateId, String name, Payload payload) implements News {}

  /** What of an event a program learns; the same for the first time and for every replay. */
  static List<News> of(Event event) {
    if (event instanceof Event.ContinuedAsNew e && !e.updates().isEmpty()) return ofRun(e);
    Optional<News> one = ofOne(event);
    return one.isPresent() ? List.of(one.get()) : List.of();
  }

  private static List<News> ofRun(Event.ContinuedAsNew event) {
    List<News> news = new ArrayList<>(1 + event.updates().size());
    news.add(new Started(event.at(), event.start()));
    for (Event.CarriedUpdate one : event.updates())
      news.add(new UpdateArrived(event.at(), one.updateId(), one.name(), one.payload()));
    return news;
  }

  private static Optional<News> ofOne(Event event) {
    return switch (event) {
      // The program does not learn of operations that the engine added on the workflow's behalf.
      case Event.Completed e ->
          e.operation().isEngines()
              ? Optional.empty()
              : Optional.of(new Completed(e.at(), e.operation(), e.outcome()));
      case Event.SignalConsumed e ->
          Optional.of(
              new Completed(
                  e.at(),
                  e.operation(),
                  new Outcome.Succeeded(e.arrival().payload()),
                  Optional.of(e.arrival())));
      case Event.ValueRecorded e ->
          Optional.of(new Completed(e.at(), e.operation(), new Outcome.Succeeded(e.value())));
      case Event.CancelRequested e -> Optional.of(new CancelRequested(e.at(), e.reason()));
      case Event.DeadlinePassed e ->
          e.asks() ? Optional.of(new CancelRequested(e.at(), Limits.DEADLINE)) : Optional.empty();
      case Event.UpdateAdmitted e ->
          Optional.of(new UpdateArrived(e.at(), e.updateId(), e.name(), e.payload()));
      case Event.Scheduled e -> Optional.empty();
      case Event.Spawned e -> Optional.empty();
      case Event.Reentered e -> Optional.empty();
      case Event.SourceChildStarted e -> Optional.of(new ChildStarted(e.at(), e.operation()));
      case Event.SourceSignalNotReceived e ->
          Optional.of(new SignalNotReceived(e.at(), e.operation(), e.bytes()));
      case Event.Forked e -> Optional.empty();
      case Event.ChildStarted e ->
          e.operation().isEngines()
              ? Optional.empty()
              : Optional.of(new ChildStarted(e.at(), e.operation()));
      case Event.Abandoned e -> Optional.empty();
      case Event.LetGo e -> Optional.empty();
      case Event.GivenUp e -> Optional.empty();
      case Event.SignalReturned e -> Optional.empty();
      case Event.AttributesChanged e -> Optional.empty();
      case Event.UpdateAnswered e -> Optional.empty();
      case Event.Ended e -> Optional.empty();
      case Event.BeginsRun e -> Optional.of(new Started(e.at(), e.start()));
      case Event.OfEngine e -> Optional.empty();
    };
  }
}
