package dev.tenure.persistence.codec;

import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.kernel.StateSnapshot;
import dev.tenure.workflow.lifecycle.WorkflowPhase;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The state of a workflow, field by field. It is not additive as events are: a change of what is
 * written, or of what folding leaves in a state, raises the format of the snapshot around it, and
 * snapshots of another format are made anew from the history.
 */
public final class StateCodec {
  private StateCodec() {}

  public static void write(BinaryWriter out, StateSnapshot state) {
    int record = out.begin();
    out.byteOf(phase(state.phase()));
    out.moment(state.at());
    RunCodec.start(out, state.start());
    out.instant(state.startedAt());
    DigitsCodec.ledger(out, state.run());
    DigitsCodec.semaphore(out, state.semaphore());
    out.flag(state.published());
    out.number(state.operations());
    out.number(state.events());
    out.number(state.largestBytes());
    out.all(state.open(), OperationCodec::operation);
    out.all(state.entered(), OutcomeCodec::operation);
    out.all(state.pivots(), OperationCodec::operation);
    out.optional(state.cancelRequested(), BinaryWriter::text);
    out.optional(state.deadlinePassed(), BinaryWriter::instant);
    out.optional(state.graceFrom(), BinaryWriter::instant);
    out.optional(state.paused(), BinaryWriter::text);
    out.optional(state.blocked(), BinaryWriter::text);
    out.optional(state.incident(), IncidentCodec::incident);
    out.all(state.withheld(), NewsCodec::news);
    out.all(state.noChild(), OutcomeCodec::operation);
    out.all(state.consumed().entrySet(), StateCodec::consumed);
    out.number(state.newestSignal());
    out.all(state.returned().entrySet(), StateCodec::returned);
    out.all(state.signalNames(), BinaryWriter::text);
    out.all(state.pendingUpdates(), RunCodec::update);
    out.all(state.answeredUpdates(), RunCodec::answered);
    OutcomeCodec.attributes(out, state.attributes());
    out.optional(state.outcome(), OutcomeCodec::outcome);
    out.optional(state.endedAt(), BinaryWriter::instant);
    out.end(record);
  }

  public static StateSnapshot read(BinaryReader in) {
    int outer = in.begin();
    WorkflowPhase phase = phase(in.byteOf());
    Instant at = in.moment();
    StateSnapshot state =
        new StateSnapshot(
            phase,
            RunCodec.start(in),
            in.instant(),
            at,
            DigitsCodec.ledger(in),
            DigitsCodec.semaphore(in),
            in.flag(),
            in.number(),
            in.number(),
            in.smallNumber(),
            in.all(OperationCodec::operation),
            in.all(OutcomeCodec::operation),
            in.all(OperationCodec::operation),
            in.optional(BinaryReader::text),
            in.optional(BinaryReader::instant),
            in.optional(BinaryReader::instant),
            in.optional(BinaryReader::text),
            in.optional(BinaryReader::text),
            in.optional(IncidentCodec::incident),
            in.all(NewsCodec::news),
            in.all(OutcomeCodec::operation),
            consumed(in),
            in.number(),
            returned(in),
            new TreeSet<>(in.all(BinaryReader::text)),
            in.all(RunCodec::update),
            in.all(RunCodec::answered),
            attributes(in),
            in.optional(OutcomeCodec::outcome),
            in.optional(BinaryReader::instant));
    in.end(outer);
    return state;
  }

  private static void consumed(BinaryWriter out, Map.Entry<String, Long> one) {
    out.text(one.getKey());
    out.number(one.getValue());
  }

  private static SortedMap<String, Long> consumed(BinaryReader in) {
    SortedMap<String, Long> all = new TreeMap<>();
    in.all(each -> all.put(each.text(), each.number()));
    return all;
  }

  private static void returned(BinaryWriter out, Map.Entry<Long, String> one) {
    out.number(one.getKey());
    out.text(one.getValue());
  }

  private static SortedMap<Long, String> returned(BinaryReader in) {
    SortedMap<Long, String> all = new TreeMap<>();
    in.all(each -> all.put(each.number(), each.text()));
    return all;
  }

  private static SortedMap<String, Attribute> attributes(BinaryReader in) {
    return new TreeMap<>(OutcomeCodec.attributes(in));
  }

  private static int phase(WorkflowPhase phase) {
    return switch (phase) {
      case NEW -> 1;
      case LIVE -> 2;
      case HELD -> 3;
      case ENDED -> 4;
      case CLOSED -> 5;
    };
  }

  private static WorkflowPhase phase(int code) {
    for (WorkflowPhase phase : WorkflowPhase.values()) if (phase(phase) == code) return phase;
    throw new PersistedEntryIncompatibleError("the phase of a workflow", code);
  }
}
