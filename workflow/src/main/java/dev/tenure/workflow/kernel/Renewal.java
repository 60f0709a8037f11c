package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.operation.MessageContent;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The parts of a run that its next run takes over. */
final class Renewal {
  /** What a signal is for whose child an earlier run could not start. No operation is called so. */
  static final OperationId NO_CHILD = OperationId.ofEngine("no-child", 1);

  private final ProvisionalState provisional;
  private final Start start;
  private final CommitEvents commit;

  Renewal(ProvisionalState provisional, Start start, CommitEvents commit) {
    this.provisional = provisional;
    this.start = start;
    this.commit = commit;
  }

  Event.ContinuedAsNew event(
      Wish.ContinueAsNew next, List<Event.Answered> answers, List<Event.CarriedUpdate> updates) {
    List<Event.Carried> carried = carried();
    int version = next.version().orElse(start.type().version());
    return new Event.ContinuedAsNew(
        provisional.at,
        start.next(next.input(), version, attributes()),
        Ledgers.inception(start.accounting(), 0),
        Ledgers.ofRun(),
        newestSignal(),
        answers,
        carried,
        updates);
  }

  Event.StartedAgain startedAgain(Start next) {
    // When counters were full, the end has written everything off.
    List<Event.Carried> carried = commit.writtenOff ? List.of() : carried();
    return new Event.StartedAgain(
        provisional.at,
        next.after(start, provisional.limits.earlierStarts()),
        Ledgers.inception(next.accounting(), 0),
        Ledgers.ofRun(),
        newestSignal(),
        answers(),
        carried);
  }

  private List<Event.Carried> carried() {
    List<Event.Carried> carried = new ArrayList<>(0);
    Map<OperationId, OperationId> names = new HashMap<>(0);
    for (Operation operation : commit.open())
      if (operation.phase() == OperationPhase.LET_GO
          || operation.phase() == OperationPhase.SENDING) {
        OperationId name = OperationId.ofEngine("carried", carried.size() + 1);
        names.put(operation.id(), name);
        carried.add(
            new Event.Carried(
                name,
                operation
                    .sent()
                    .orElseGet(
                        () ->
                            new Operation.Sent(
                                operation.id(), Dispatch.guid(start, operation.id()))),
                carried(operation.spec(), names),
                operation.ledger(),
                operation.phase() == OperationPhase.LET_GO,
                operation.afterwards()));
      }
    return carried;
  }

  /**
   * A signal to a child names the child's start, which goes over under another name. Once the start
   * was acknowledged there is no name to wait for.
   *
   * @param names of what goes over; a child's start comes before what is sent to the child
   */
  private OperationSpec carried(OperationSpec spec, Map<OperationId, OperationId> names) {
    if (!(spec instanceof OperationSpec.Message(var target, MessageContent.Signal signal)))
      return spec;
    Optional<OperationId> child =
        signal
            .child()
            .flatMap(
                id ->
                    commit.hasNoChild(id)
                        ? Optional.of(NO_CHILD)
                        : Optional.ofNullable(names.get(id)));
    return new OperationSpec.Message(target, signal.withChild(child));
  }

  /** As this commit leaves them. */
  private Map<String, Attribute> attributes() {
    Map<String, Attribute> all = new HashMap<>(provisional.state.attributes);
    if (!provisional.state.exists()) all.putAll(start.attributes());
    for (Event event : commit.events)
      if (event instanceof Event.AttributesChanged changed) Fold.attributes(all, changed.changes());
    return all;
  }

  private long newestSignal() {
    long newest = provisional.state.newestSignal;
    for (Event event : commit.events)
      if (event instanceof Event.SignalConsumed consumption)
        newest = Math.max(newest, consumption.arrival().position());
    return newest;
  }

  /**
   * The updates without an answer, the oldest first, as many as may be carried: the next run
   * handles them. The first is carried even if it is larger, so that none is refused for ever.
   */
  List<Event.CarriedUpdate> updates(Set<String> answered) {
    List<Event.CarriedUpdate> all = new ArrayList<>(0);
    provisional.state.updates.pending().forEach(update -> carry(update, answered, all));
    for (Event event : commit.events)
      if (event instanceof Event.UpdateAdmitted e)
        carry(new Event.CarriedUpdate(e.updateId(), e.name(), e.payload(), e.at()), answered, all);
    List<Event.CarriedUpdate> carried = new ArrayList<>(all.size());
    long bytes = 0;
    for (Event.CarriedUpdate update : all) {
      bytes += update.payload().size();
      if (!carried.isEmpty() && bytes > provisional.limits.carriedUpdatesBytes()) break;
      carried.add(update);
    }
    return carried;
  }

  private static void carry(
      Event.CarriedUpdate update, Set<String> answered, List<Event.CarriedUpdate> all) {
    if (!answered.contains(update.updateId())) all.add(update);
  }

  /** The newest, as many as may be carried: the next run gives them to senders that ask again. */
  List<Event.Answered> answers() {
    Map<String, Outcome> all = new LinkedHashMap<>(provisional.state.updates.answered());
    for (Event event : commit.events)
      if (event instanceof Event.UpdateAnswered answer)
        all.put(answer.updateId(), answer.outcome());
    List<Event.Answered> answers = new ArrayList<>(0);
    long bytes = 0;
    for (String id : List.copyOf(all.keySet()).reversed()) {
      Outcome outcome = all.get(id);
      bytes += outcome instanceof Outcome.Succeeded(Payload value) ? value.size() : 1_024;
      if (bytes > provisional.limits.carriedAnswersBytes()) break;
      answers.addFirst(new Event.Answered(id, provisional.bodyOf(id), outcome));
    }
    return answers;
  }
}
