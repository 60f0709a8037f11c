package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.collation.Parent;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationKind;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What a new owner rebuilds a program from: while it folds the history, it also collects the news,
 * and what of the program's wishes is on record. It is as long as the history, and thrown away when
 * the program stands.
 *
 * <pre>
 *   for each event: state = kernel.evolve(state, event); replay.add(event);
 *   wishes = program.advance(replay.news(state));
 *   switch (replay.compare(wishes)) { case Same(rest) -> Recovered with rest; case Drifted … }
 * </pre>
 */
public final class Replay {
  /** How what the program asks for compares with what is recorded. */
  public sealed interface Comparison {
    /**
     * It fits. What the code asks for beyond the record is to be granted with the next decision.
     */
    record Same(Wishes rest) implements Comparison {}

    /** It contradicts the record: say so with {@link Command.RaiseIncident}, and go no further. */
    record Drifted(Incident.Drift drift) implements Comparison {}
  }

  private final List<News> news = new ArrayList<>();
  private static final OperationSpec VALUE = new OperationSpec.Value(Payload.NONE);

  private final Map<OperationId, Difference.Recorded> recorded = new LinkedHashMap<>();
  private final Set<OperationId> over = new HashSet<>();

  private record Answer(int bytes, boolean failed) {}

  /** Updates that were answered, and how. */
  private final Map<String, Answer> answered = new HashMap<>();

  /** Waits whose signals were given back, with when that was. */
  private final Map<OperationId, Instant> returned = new LinkedHashMap<>(0);

  /** How often each stayed open after a message. */
  private final Map<OperationId, Integer> leftOpen = new HashMap<>(0);

  private Optional<Instant> endedAt = Optional.empty();
  private int attributeChanges;
  private Optional<Payload> memory = Optional.empty();

  /** Of the whole history of a run. */
  public Replay() {}

  /**
   * Of what follows behind a snapshot, for a program that goes on from what it knew then. What was
   * withheld from it then, it may have been told since.
   *
   * @param memory what the program knew
   */
  public Replay(StateSnapshot since, Payload memory) {
    news.addAll(since.withheld());
    this.memory = Optional.of(memory);
  }

  /**
   * What the program knew where this begins: it needs none of the news before that. Empty when this
   * is of the whole run.
   */
  public Optional<Payload> memory() {
    return memory;
  }

  /** The next event of the history. */
  public void add(Event event) {
    if (Fork.followsRun(event)) forget();
    news.addAll(News.of(event));
    switch (event) {
      case Event.Scheduled e -> record(e.operation(), e.spec());
      case Event.ValueRecorded e -> {
        record(e.operation(), VALUE);
        over.add(e.operation());
      }
      case Event.Reentered e -> {
        record(e.operation(), new OperationSpec.Cycle(e.pivot()));
        over.add(e.operation());
      }
      case Event.Spawned e -> {
        if (e.parent() == Parent.CLOSES) over.add(e.operation());
        else {
          over.remove(e.operation());
          leftOpen.merge(e.operation(), 1, Integer::sum);
        }
      }
      case Event.Completed e -> over.add(e.operation());
      case Event.SignalConsumed e -> over.add(e.operation());
      case Event.Abandoned e -> over.add(e.operation());
      case Event.LetGo e -> over.add(e.operation());
      case Event.GivenUp e -> over.add(e.operation());
      case Event.SignalReturned e -> returned.put(e.operation(), e.at());
      case Event.AttributesChanged e -> attributeChanges++;
      case Event.UpdateAnswered e -> answered.put(e.updateId(), answer(e.outcome()));
      case Event.DeadlinePassed e -> {}
      case Event.Forked e -> recorded.replaceAll((id, one) -> copied(one));
      case Event.ChildStarted e -> {}
      case Event.SourceChildStarted e -> {}
      case Event.SourceSignalNotReceived e -> {}
      case Event.CancelRequested e -> {}
      case Event.UpdateAdmitted e -> {}
      case Event.Ended e -> endedAt = Optional.of(e.at());
      case Event.BeginsRun e -> {}
      case Event.OfEngine e -> {}
    }
  }

  /** A new run begins: forgets what the run before it asked for. */
  private void forget() {
    memory = Optional.empty();
    news.clear();
    recorded.clear();
    over.clear();
    answered.clear();
    returned.clear();
    leftOpen.clear();
    endedAt = Optional.empty();
    attributeChanges = 0;
  }

  /** All that is on record as asked for. */
  public Set<OperationId> recorded() {
    return Set.copyOf(recorded.keySet());
  }

  /**
   * What was asked for under that id; empty when nothing is on record. Of a value only that there
   * is one.
   */
  public Optional<OperationSpec> spec(OperationId id) {
    return Optional.ofNullable(recorded.get(id)).map(Difference.Recorded::spec);
  }

  /**
   * How large the answer to the update is on record. Empty also when it is on record as failed: the
   * kernel may have found it too large, and the code knows how large it is.
   */
  public OptionalInt answerBytes(String updateId) {
    Answer answer = answered.get(updateId);
    return answer == null || answer.failed ? OptionalInt.empty() : OptionalInt.of(answer.bytes);
  }

  /** Whether the update is on record as refused, or as failed. */
  public boolean hasFailed(String updateId) {
    Answer answer = answered.get(updateId);
    return answer != null && answer.failed;
  }

  private static Answer answer(Outcome outcome) {
    int bytes = outcome instanceof Outcome.Succeeded(Payload value) ? value.size() : 0;
    return new Answer(bytes, outcome instanceof Outcome.Failed);
  }

  private void record(OperationId id, OperationSpec spec) {
    if (!id.isEngines()) recorded.put(id, new Difference.Recorded(spec, false));
  }

  private static Difference.Recorded copied(Difference.Recorded one) {
    return new Difference.Recorded(one.spec(), true);
  }

  /**
   * What the program has learned so far, in order; not what the folded state still withholds from
   * it.
   */
  public List<News> news(WorkflowState folded) {
    List<News> told = new ArrayList<>(news);
    // By what they are: a workflow that is held may have learned something since.
    for (News one : folded.withheld().reversed()) told.remove(told.lastIndexOf(one));
    return List.copyOf(told);
  }

  private static List<OperationId> asked(List<Wish> rest) {
    List<OperationId> asked = new ArrayList<>();
    for (Wish wish : rest) if (wish instanceof Wish.Schedule one) asked.add(one.operation());
    return asked;
  }

  private static Optional<String> failure(List<Wish> rest) {
    for (Wish wish : rest)
      if (wish instanceof Wish.End(Outcome.Failed(Failure failure)))
        return Optional.of(failure.toString());
    return Optional.empty();
  }

  /**
   * Compares all that the program wished for in the replay with the record. Operations are found by
   * name: new ones may have come in between as long as every recorded one is still asked for.
   */
  public Comparison compare(Wishes wishes) {
    return compare(wishes, Difference.SameValue.BYTES);
  }

  /** As {@link #compare(Wishes)}, where values may be the same in other bytes. */
  public Comparison compare(Wishes wishes, Difference.SameValue same) {
    Map<OperationId, Difference.Recorded> missing = new LinkedHashMap<>(recorded);
    List<Wish> rest = new ArrayList<>();
    Set<OperationId> kept = expectedBack();
    Map<OperationId, Integer> stays = new HashMap<>(leftOpen);
    int attributesLeft = attributeChanges;
    for (Wish wish : wishes.wishes())
      switch (wish) {
        case Wish.Schedule(OperationId id, OperationSpec spec, var cause, var activity) -> {
          Difference.Recorded one = missing.remove(id);
          if (one == null) rest.add(wish);
          else {
            Optional<Incident.Drift> drift = drift(id, one, spec, same);
            if (drift.isPresent()) return new Comparison.Drifted(drift.get());
          }
        }
        case Wish.Abandon(OperationId id, boolean tellsChild) -> {
          if (!over.contains(id)) rest.add(wish);
        }
        case Wish.GiveBack(OperationId id, var signal) -> {
          kept.remove(id);
          if (!returned.containsKey(id)) rest.add(wish);
        }
        case Wish.SetAttributes set -> {
          if (attributesLeft > 0) attributesLeft--;
          else rest.add(wish);
        }
        case Wish.AnswerUpdate(String id, var outcome) -> {
          if (!answered.containsKey(id)) rest.add(wish);
        }
        case Wish.RejectUpdate(String id, var failure) -> {
          if (!answered.containsKey(id)) rest.add(wish);
        }
        case Wish.LeaveOpen(OperationId id) -> {
          if (stays.merge(id, -1, Integer::sum) < 0) rest.add(wish);
        }
        case Wish.EndIfClosed end -> rest.add(wish);
        case Wish.ContinueAsNew next -> rest.add(wish);
        case Wish.End end -> rest.add(wish);
      }
    for (Map.Entry<OperationId, Difference.Recorded> entry : missing.entrySet())
      return new Comparison.Drifted(
          new Incident.Drift(
              entry.getKey(),
              entry.getValue().spec().kind(),
              Optional.empty(),
              asked(rest),
              failure(rest)));
    for (OperationId wait : kept) return new Comparison.Drifted(keeps(wait));
    onlyLastEnd(rest);
    return new Comparison.Same(new Wishes(rest));
  }

  /** Of several ends of a job that may be closed, the last counts. */
  private static void onlyLastEnd(List<Wish> rest) {
    boolean found = false;
    for (int i = rest.size() - 1; i >= 0; i--) {
      if (!(rest.get(i) instanceof Wish.EndIfClosed)) continue;
      if (found) rest.remove(i);
      found = true;
    }
  }

  /**
   * The waits whose signals the code has to give back again. Not those that went back in the commit
   * of the end: an end from outside gives back what the code was never told.
   */
  private Set<OperationId> expectedBack() {
    if (returned.isEmpty()) return new HashSet<>(0);
    Set<OperationId> expected = new LinkedHashSet<>(returned.keySet());
    endedAt.ifPresent(at -> expected.removeIf(wait -> returned.get(wait).equals(at)));
    return expected;
  }

  /** The signal went to another wait, or will: the code would receive it twice. */
  private static Incident.Drift keeps(OperationId wait) {
    // Only waits take signals, and where this begins behind a snapshot it has no record of the
    // wait.
    OperationKind kind = OperationKind.SIGNAL_WAIT;
    return new Incident.Drift(
        wait,
        kind,
        Optional.of(kind),
        List.of(),
        Optional.empty(),
        Optional.of(new Difference("its signal", "given back", "its signal kept")));
  }

  private static Optional<Incident.Drift> drift(
      OperationId id, Difference.Recorded recorded, OperationSpec spec, Difference.SameValue same) {
    OperationKind kind = recorded.spec().kind();
    if (kind != spec.kind())
      return Optional.of(new Incident.Drift(id, kind, Optional.of(spec.kind())));
    return Difference.between(recorded, spec, same)
        .map(
            difference ->
                new Incident.Drift(
                    id,
                    kind,
                    Optional.of(kind),
                    List.of(),
                    Optional.empty(),
                    Optional.of(difference)));
  }
}
