package dev.tenure.persistence.codec;

import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Failure.OutsideEffect;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Outcomes, failures, payloads and attributes. A kind's number never gets another meaning. */
public final class OutcomeCodec {
  private OutcomeCodec() {}

  public static void payload(BinaryWriter out, Payload payload) {
    out.payload(payload);
  }

  public static Payload payload(BinaryReader in) {
    return in.payload();
  }

  public static void operation(BinaryWriter out, OperationId id) {
    out.text(id.value());
  }

  public static OperationId operation(BinaryReader in) {
    return new OperationId(in.text());
  }

  public static void outcome(BinaryWriter out, Outcome outcome) {
    switch (outcome) {
      case Outcome.Succeeded o -> {
        int record = begin(out, 1);
        payload(out, o.value());
        out.end(record);
      }
      case Outcome.Failed o -> {
        int record = begin(out, 2);
        failure(out, o.failure());
        out.end(record);
      }
      case Outcome.Cancelled o -> reason(out, 3, o.reason());
      case Outcome.Terminated o -> reason(out, 4, o.reason());
      case Outcome.TimedOut o -> reason(out, 5, o.what());
    }
  }

  private static void reason(BinaryWriter out, int kind, String reason) {
    int record = begin(out, kind);
    out.text(reason);
    out.end(record);
  }

  public static int begin(BinaryWriter out, int kind) {
    out.byteOf(kind);
    return out.begin();
  }

  public static Outcome outcome(BinaryReader in) {
    int kind = in.byteOf();
    int outer = in.begin();
    Outcome outcome =
        switch (kind) {
          case 1 -> new Outcome.Succeeded(payload(in));
          case 2 -> new Outcome.Failed(failure(in));
          case 3 -> new Outcome.Cancelled(in.text());
          case 4 -> new Outcome.Terminated(in.text());
          case 5 -> new Outcome.TimedOut(in.text());
          default -> throw new PersistedEntryIncompatibleError("an outcome", kind);
        };
    in.end(outer);
    return outcome;
  }

  public static void failure(BinaryWriter out, Failure failure) {
    int record = out.begin();
    out.text(failure.type());
    out.text(failure.message());
    out.optional(failure.code(), BinaryWriter::text);
    out.flag(failure.retryable());
    out.text(failure.stackText());
    out.optional(failure.cause(), OutcomeCodec::failure);
    // Added later, and only written where there is something to say: see the golden files.
    boolean known = failure.outside() != OutsideEffect.POSSIBLE;
    if (known || failure.form() != Failure.Form.RECORD) out.byteOf(form(failure.form()));
    if (known) out.byteOf(outside(failure.outside()));
    out.end(record);
  }

  private static int form(Failure.Form form) {
    return switch (form) {
      case RECORD -> 1;
      case EXCEPTION -> 2;
      case DEFECT -> 3;
    };
  }

  private static int outside(OutsideEffect known) {
    return switch (known) {
      case POSSIBLE -> 1;
      case NONE -> 2;
      case UNPROVEN -> 3;
    };
  }

  private static OutsideEffect outside(int number) {
    return switch (number) {
      case 1 -> OutsideEffect.POSSIBLE;
      case 2 -> OutsideEffect.NONE;
      case 3 -> OutsideEffect.UNPROVEN;
      default -> throw new PersistedEntryIncompatibleError("the effect of a failure", number);
    };
  }

  private static Failure.Form form(int number) {
    return switch (number) {
      case 1 -> Failure.Form.RECORD;
      case 2 -> Failure.Form.EXCEPTION;
      case 3 -> Failure.Form.DEFECT;
      default -> throw new PersistedEntryIncompatibleError("the form of a failure", number);
    };
  }

  public static Failure failure(BinaryReader in) {
    int outer = in.begin();
    Failure failure =
        new Failure(
            in.text(),
            in.text(),
            in.optional(BinaryReader::text),
            in.flag(),
            in.text(),
            in.optional(OutcomeCodec::failure),
            in.hasMore() ? form(in.byteOf()) : Failure.Form.RECORD,
            in.hasMore() ? outside(in.byteOf()) : OutsideEffect.POSSIBLE);
    in.end(outer);
    return failure;
  }

  /** In the order of their names, so that the same attributes are the same bytes. */
  public static void attributes(BinaryWriter out, Map<String, Attribute> attributes) {
    out.number(attributes.size());
    new TreeMap<>(attributes)
        .forEach(
            (name, value) -> {
              out.text(name);
              attribute(out, value);
            });
  }

  public static Map<String, Attribute> attributes(BinaryReader in) {
    Map<String, Attribute> attributes = new LinkedHashMap<>();
    in.all(each -> attributes.put(each.text(), attribute(each)));
    return attributes;
  }

  private static void attribute(BinaryWriter out, Attribute attribute) {
    int record;
    switch (attribute) {
      case Attribute.OfText a -> {
        record = begin(out, 1);
        out.text(a.value());
      }
      case Attribute.OfLong a -> {
        record = begin(out, 2);
        out.signed(a.value());
      }
      case Attribute.OfDouble a -> {
        record = begin(out, 3);
        out.real(a.value());
      }
      case Attribute.OfBoolean a -> {
        record = begin(out, 4);
        out.flag(a.value());
      }
      case Attribute.OfInstant a -> {
        record = begin(out, 5);
        out.signed(a.value().getEpochSecond());
        out.number(a.value().getNano());
      }
      case Attribute.OfTexts a -> {
        record = begin(out, 6);
        out.all(a.values(), BinaryWriter::text);
      }
      case Attribute.Removed a -> record = begin(out, 7);
    }
    out.end(record);
  }

  private static Attribute attribute(BinaryReader in) {
    int kind = in.byteOf();
    int outer = in.begin();
    Attribute attribute =
        switch (kind) {
          case 1 -> new Attribute.OfText(in.text());
          case 2 -> new Attribute.OfLong(in.signed());
          case 3 -> new Attribute.OfDouble(in.real());
          case 4 -> new Attribute.OfBoolean(in.flag());
          case 5 ->
              new Attribute.OfInstant(
                  java.time.Instant.ofEpochSecond(in.signed(), in.smallNumber()));
          case 6 -> new Attribute.OfTexts(List.copyOf(in.all(BinaryReader::text)));
          case 7 -> new Attribute.Removed();
          default -> throw new PersistedEntryIncompatibleError("a search attribute", kind);
        };
    in.end(outer);
    return attribute;
  }
}
