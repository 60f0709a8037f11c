package dev.tenure.sharding.branch;

import dev.tenure.workflow.Payload;
import dev.tenure.workflow.kernel.News;
import dev.tenure.workflow.kernel.Replay;
import dev.tenure.workflow.kernel.Wish;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How long a run's history is, as its code sees it: what it asked for, and what it was told. Code
 * decides by this, so a replay has to come to the same numbers. That is why attempts that failed
 * and other things that the code never hears of do not count, and why the way of counting is part
 * of what is recorded: it never changes.
 */
public final class RunLength {
  private long events;
  private long bytes;

  /** In a fork, by the wait it was for, how large the newest signal was that it did not receive. */
  private Map<OperationId, Integer> notReceived = Map.of();

  /** In a replay, what is on record: newer code may write the same in more bytes. */
  private Optional<Replay> record = Optional.empty();

  /** Counts what is on record there as large as it is there. */
  public void replays(Replay recorded) {
    record = Optional.of(recorded);
  }

  /** The replay has ended: news and wishes from here on are new. */
  public void live() {
    record = Optional.empty();
  }

  public long events() {
    return events;
  }

  public long bytes() {
    return bytes;
  }

  /** The code was given this: its input, or an update that it has admitted. */
  public void given(Payload payload) {
    events++;
    bytes += payload.size();
  }

  /** What the code asked for came out so, and the code is told. */
  void told(Outcome outcome) {
    events++;
    bytes += size(outcome);
  }

  /**
   * The code of a fork's source was told of the signal, or gave it back at once: both are as long.
   */
  void notReceived(News.SignalNotReceived signal) {
    events++;
    bytes += signal.bytes();
    if (notReceived.isEmpty()) notReceived = new HashMap<>(4);
    notReceived.put(signal.operation(), signal.bytes());
  }

  void asked(Wish wish) {
    switch (wish) {
      case Wish.Schedule asked -> {
        events++;
        bytes += asRecorded(asked.operation(), asked.spec()).payload().size();
      }
      case Wish.AnswerUpdate(String id, Outcome outcome) -> {
        events++;
        OptionalInt onRecord =
            record.isPresent() ? record.get().answerBytes(id) : OptionalInt.empty();
        bytes += onRecord.orElseGet(() -> size(outcome));
      }
      // Where this is a fork's code that gives up a wait, its source's may have given a signal
      // back.
      case Wish.Abandon abandon -> {
        events++;
        bytes += notReceived.getOrDefault(abandon.operation(), 0);
      }
      case Wish.GiveBack back -> {
        events++;
        bytes += back.signal().payload().size();
      }
      case Wish.SetAttributes attributes -> events++;
      // Leaves nothing behind, so a replay does not come by here.
      case Wish.RejectUpdate refused -> {}
      // Only the program of a graph wishes these.
      case Wish.LeaveOpen open -> events++;
      case Wish.EndIfClosed end -> {}
      case Wish.ContinueAsNew end -> {}
      case Wish.End end -> {}
    }
  }

  private OperationSpec asRecorded(OperationId operation, OperationSpec asked) {
    // The code got the recorded value, and asks for that.
    if (record.isEmpty() || asked instanceof OperationSpec.Value) return asked;
    return record.get().spec(operation).orElse(asked);
  }

  private static int size(Outcome outcome) {
    return outcome instanceof Outcome.Succeeded(Payload value) ? value.size() : 0;
  }
}
