package dev.tenure.http.events;

import dev.tenure.http.fault.ApiFault;
import dev.tenure.http.fault.ErrorCode;
import dev.tenure.http.workflow.Engine;
import dev.tenure.http.workflow.HistoryEvent;
import dev.tenure.persistence.entry.JournalEntry;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.NotUsed;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.KillSwitches;
import org.apache.pekko.stream.SharedKillSwitch;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * Histories as they grow, as server-sent events. What is sent is what is committed, read from the
 * journal: a stream that breaks is taken up again after its last event, on any node.
 */
public final class EventStreams {
  /** At once, on one node: each of them reads the journal several times a second. */
  public static final int STREAMS_MAX = 200;

  /** An empty line, so that no proxy on the way takes the connection for dead. */
  public static final Duration HEARTBEAT = Duration.ofSeconds(15);

  private static final Duration LOOK_EVERY = Duration.ofMillis(250);
  private static final int PAGE_COMMITS = 100;
  private static final ByteString ALIVE = ByteString.fromString(": still here\n\n");

  private final Engine engine;
  private final Duration heartbeat;
  private final SharedKillSwitch end = KillSwitches.shared("tenure-events");
  private final AtomicInteger open = new AtomicInteger();

  /** How far a stream has read, and whether more can come. */
  private record Place(Position after, boolean closed) {}

  public EventStreams(Engine engine, Duration heartbeat) {
    this.engine = engine;
    this.heartbeat = heartbeat;
  }

  /** Everything after the position, as it comes; it ends with the workflow. */
  Source<ByteString, NotUsed> open(WorkflowId id, Position after) {
    if (open.incrementAndGet() > STREAMS_MAX) {
      open.decrementAndGet();
      throw ApiFault.of(
              ErrorCode.OVERLOADED,
              "This node has STREAMS_MAX = %d streams of events open.".formatted(STREAMS_MAX))
          .with("limit", "STREAMS_MAX")
          .retryAfter(HEARTBEAT);
    }
    return Source.unfoldAsync(new Place(after, false), place -> next(id, place))
        .filterNot(ByteString::isEmpty)
        .keepAlive(heartbeat, () -> ALIVE)
        .via(end.flow())
        .watchTermination(
            (nothing, done) -> {
              done.whenComplete((ended, failure) -> open.decrementAndGet());
              return nothing;
            });
  }

  private CompletionStage<Optional<Pair<Place, ByteString>>> next(WorkflowId id, Place place) {
    if (place.closed) return CompletableFuture.completedStage(Optional.empty());
    return engine
        .workflows()
        .history(id, Math.max(1, place.after.version()), PAGE_COMMITS)
        .thenCompose(entries -> after(place, entries));
  }

  private static CompletionStage<Optional<Pair<Place, ByteString>>> after(
      Place place, List<JournalEntry> entries) {
    StringBuilder text = new StringBuilder();
    Position last = place.after;
    boolean closed = false;
    for (JournalEntry entry : entries) {
      for (HistoryEvent event : HistoryEvent.of(entry)) {
        Position at = new Position(entry.head().version(), event.index());
        if (!at.isAfter(place.after)) {
          closed = event.isLast();
          continue;
        }
        last = at;
        closed = event.isLast();
        text.append("id: ").append(at).append("\nevent: ").append(event.type());
        text.append("\ndata: ").append(event.json()).append("\n\n");
      }
    }
    // Behind a full page another start may have begun the next run.
    closed &= entries.size() < PAGE_COMMITS;
    Pair<Place, ByteString> found =
        Pair.create(new Place(last, closed), ByteString.fromString(text.toString()));
    CompletableFuture<Optional<Pair<Place, ByteString>>> answer = new CompletableFuture<>();
    if (!text.isEmpty() || closed) answer.complete(Optional.of(found));
    else answer.completeOnTimeout(Optional.of(found), LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
    return answer;
  }

  /** Streams that are open now. */
  public int openNow() {
    return open.get();
  }

  /** Ends all of them, as the node ends: their readers go on elsewhere. */
  public void close() {
    end.shutdown();
  }
}
