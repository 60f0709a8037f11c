package dev.tenure.persistence.codec;

import dev.tenure.workflow.kernel.Difference;
import dev.tenure.workflow.kernel.Incident;
import java.util.List;
import java.util.Optional;

/** Why a workflow stands, as it is in the journal, in snapshots and in messages between nodes. */
public final class IncidentCodec {
  private IncidentCodec() {}

  public static void incident(BinaryWriter out, Incident incident) {
    int record;
    switch (incident) {
      case Incident.Drift i -> {
        record = OutcomeCodec.begin(out, 1);
        OutcomeCodec.operation(out, i.operation());
        SpecCodec.kind(out, i.recorded());
        out.optional(i.asked(), SpecCodec::kind);
        // Added later, and only written where there is something to say: see the golden files.
        boolean more = i.end().isPresent() || i.difference().isPresent();
        if (!i.instead().isEmpty() || more) out.all(i.instead(), OutcomeCodec::operation);
        if (more) out.text(i.end().orElse(""));
        i.difference().ifPresent(one -> difference(out, one));
      }
      case Incident.InvalidWish i -> {
        record = OutcomeCodec.begin(out, 2);
        out.text(i.why());
      }
      case Incident.Stuck i -> {
        record = OutcomeCodec.begin(out, 3);
        out.text(i.why());
      }
      case Incident.Ceiling i -> {
        record = OutcomeCodec.begin(out, 4);
        out.optional(i.operation(), OutcomeCodec::operation);
        out.text(i.why());
      }
      case Incident.OperationFailed i -> {
        record = OutcomeCodec.begin(out, 6);
        OutcomeCodec.operation(out, i.operation());
        out.number(i.attempts());
        OutcomeCodec.failure(out, i.failure());
      }
      case Incident.Indeterminate i -> {
        record = OutcomeCodec.begin(out, 7);
        OutcomeCodec.operation(out, i.operation());
        out.number(i.attempts());
        OutcomeCodec.failure(out, i.failure());
      }
      case Incident.ResourceDiffers i -> {
        record = OutcomeCodec.begin(out, 8);
        OutcomeCodec.operation(out, i.operation());
        out.text(i.evidence());
      }
      case Incident.Other i -> {
        record = OutcomeCodec.begin(out, 5);
        out.text(i.kind());
        out.text(i.why());
      }
    }
    out.end(record);
  }

  private static void difference(BinaryWriter out, Difference difference) {
    out.text(difference.what());
    out.text(difference.recorded());
    out.text(difference.asked());
  }

  public static Incident incident(BinaryReader in) {
    int kind = in.byteOf();
    int outer = in.begin();
    Incident incident =
        switch (kind) {
          case 1 ->
              new Incident.Drift(
                  OutcomeCodec.operation(in),
                  SpecCodec.kind(in),
                  in.optional(SpecCodec::kind),
                  in.hasMore() ? in.all(OutcomeCodec::operation) : List.of(),
                  in.hasMore()
                      ? Optional.of(in.text()).filter(text -> !text.isEmpty())
                      : Optional.empty(),
                  in.hasMore()
                      ? Optional.of(new Difference(in.text(), in.text(), in.text()))
                      : Optional.empty());
          case 2 -> new Incident.InvalidWish(in.text());
          case 3 -> new Incident.Stuck(in.text());
          case 4 -> new Incident.Ceiling(in.optional(OutcomeCodec::operation), in.text());
          case 5 -> new Incident.Other(in.text(), in.text());
          case 6 ->
              new Incident.OperationFailed(
                  OutcomeCodec.operation(in), in.smallNumber(), OutcomeCodec.failure(in));
          case 7 ->
              new Incident.Indeterminate(
                  OutcomeCodec.operation(in), in.smallNumber(), OutcomeCodec.failure(in));
          case 8 -> new Incident.ResourceDiffers(OutcomeCodec.operation(in), in.text());
          default -> throw new PersistedEntryIncompatibleError("an incident", kind);
        };
    in.end(outer);
    return incident;
  }
}
