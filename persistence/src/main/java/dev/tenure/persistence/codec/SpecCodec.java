package dev.tenure.persistence.codec;

import static dev.tenure.persistence.codec.OutcomeCodec.begin;

import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.StartPolicy;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.ActivityCall;
import dev.tenure.workflow.operation.Due;
import dev.tenure.workflow.operation.MessageContent;
import dev.tenure.workflow.operation.MessageGuid;
import dev.tenure.workflow.operation.OperationKind;
import dev.tenure.workflow.operation.OperationSpec;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What programs ask for. A kind's number never gets another meaning. */
public final class SpecCodec {
  /**
   * What one byte stands for. These are the format's own: the engine's defaults may change, what is
   * stored keeps its meaning.
   */
  private static final RetryPolicy USUAL_RETRY =
      new RetryPolicy(3, Duration.ofSeconds(1), 2.0, Duration.ofSeconds(30), 0.1, Set.of());

  private static final Timeouts USUAL_TIMEOUTS =
      new Timeouts(Optional.of(Duration.ofMinutes(5)), Optional.empty());

  /** By the number that stands for them. */
  private static final OperationKind[] KINDS = kinds();

  private SpecCodec() {}

  /** The number of a kind, wherever a kind is written. */
  private static int number(OperationKind kind) {
    return switch (kind) {
      case STEP -> 1;
      case ACTIVITY -> 2;
      case TIMER -> 3;
      case SIGNAL_WAIT -> 4;
      case CHILD -> 5;
      case MESSAGE -> 6;
      case VALUE -> 7;
      case CYCLE -> 8;
    };
  }

  private static OperationKind[] kinds() {
    OperationKind[] kinds = new OperationKind[OperationKind.values().length + 1];
    for (OperationKind kind : OperationKind.values()) kinds[number(kind)] = kind;
    return kinds;
  }

  public static void kind(BinaryWriter out, OperationKind kind) {
    out.byteOf(number(kind));
  }

  public static OperationKind kind(BinaryReader in) {
    return kind(in, "a kind of operation");
  }

  private static OperationKind kind(BinaryReader in, String what) {
    int number = in.byteOf();
    if (number < 1 || number >= KINDS.length)
      throw new PersistedEntryIncompatibleError(what, number);
    return KINDS[number];
  }

  static void spec(BinaryWriter out, OperationSpec spec) {
    int record = begin(out, number(spec.kind()));
    switch (spec) {
      case OperationSpec.Step s -> {
        retry(out, s.retry());
        timeouts(out, s.timeouts());
        s.undoes().ifPresent(undo -> undo(out, undo));
        s.saga().ifPresent(out::text);
      }
      case OperationSpec.Activity s -> {
        out.text(s.activity());
        OutcomeCodec.payload(out, s.input());
        retry(out, s.retry());
        timeouts(out, s.timeouts());
        // Added later, and only written where it says something: see the golden files.
        if (!s.call().equals(ActivityCall.PLAIN)) ActivityCallCodec.call(out, s.call());
      }
      case OperationSpec.Timer s -> due(out, s.due());
      case OperationSpec.SignalWait s -> {
        out.text(s.signal());
        out.optional(s.timeout(), BinaryWriter::duration);
      }
      case OperationSpec.Child s -> child(out, s);
      case OperationSpec.Message s -> {
        out.text(s.target().value());
        content(out, s.content());
      }
      case OperationSpec.Value s -> OutcomeCodec.payload(out, s.value());
      case OperationSpec.Cycle s -> OutcomeCodec.operation(out, s.pivot());
    }
    out.end(record);
  }

  static OperationSpec spec(BinaryReader in) {
    OperationKind kind = kind(in, "an operation");
    int outer = in.begin();
    OperationSpec spec =
        switch (kind) {
          case STEP -> step(in);
          case ACTIVITY ->
              new OperationSpec.Activity(
                  in.text(),
                  OutcomeCodec.payload(in),
                  retry(in),
                  timeouts(in),
                  in.hasMore() ? ActivityCallCodec.call(in) : ActivityCall.PLAIN);
          case TIMER -> new OperationSpec.Timer(due(in));
          case SIGNAL_WAIT ->
              new OperationSpec.SignalWait(in.text(), in.optional(BinaryReader::duration));
          case CHILD -> child(in);
          case MESSAGE -> new OperationSpec.Message(new WorkflowId(in.text()), content(in));
          case VALUE -> new OperationSpec.Value(OutcomeCodec.payload(in));
          case CYCLE -> new OperationSpec.Cycle(OutcomeCodec.operation(in));
        };
    in.end(outer);
    return spec;
  }

  private static void undo(BinaryWriter out, OperationSpec.Undo undo) {
    out.text(undo.saga());
    out.number(undo.position());
    out.optional(undo.step(), OutcomeCodec::operation);
  }

  /** With nothing more, the name of a saga, or all that a compensation undoes. */
  private static OperationSpec.Step step(BinaryReader in) {
    RetryPolicy retry = retry(in);
    Timeouts timeouts = timeouts(in);
    if (!in.hasMore()) return new OperationSpec.Step(retry, timeouts);
    String saga = in.text();
    if (!in.hasMore()) return OperationSpec.Step.ofSaga(retry, timeouts, saga);
    return OperationSpec.Step.compensation(
        retry,
        timeouts,
        new OperationSpec.Undo(saga, in.smallNumber(), in.optional(OutcomeCodec::operation)));
  }

  private static void child(BinaryWriter out, OperationSpec.Child child) {
    out.text(child.id().value());
    out.text(child.type());
    out.optional(child.version(), (o, version) -> o.number(version));
    OutcomeCodec.payload(out, child.input());
    out.byteOf(
        switch (child.onParentClose()) {
          case TERMINATE -> 1;
          case CANCEL -> 2;
          case ABANDON -> 3;
        });
    out.optional(child.executionTimeout(), BinaryWriter::duration);
    OutcomeCodec.attributes(out, child.attributes());
    // Added later, and only written where it says something: see the golden files.
    if (child.policy() != StartPolicy.REJECT_DUPLICATE) startPolicy(out, child.policy());
  }

  private static OperationSpec.Child child(BinaryReader in) {
    return new OperationSpec.Child(
        new WorkflowId(in.text()),
        in.text(),
        in.optional(BinaryReader::smallNumber),
        OutcomeCodec.payload(in),
        parentClose(in.byteOf()),
        in.optional(BinaryReader::duration),
        OutcomeCodec.attributes(in),
        in.hasMore() ? startPolicy(in) : StartPolicy.REJECT_DUPLICATE);
  }

  public static void startPolicy(BinaryWriter out, StartPolicy policy) {
    out.byteOf(
        switch (policy) {
          case REJECT_DUPLICATE -> 1;
          case ALLOW_IF_CLOSED -> 2;
          case TERMINATE_IF_RUNNING -> 3;
        });
  }

  public static StartPolicy startPolicy(BinaryReader in) {
    int code = in.byteOf();
    return switch (code) {
      case 1 -> StartPolicy.REJECT_DUPLICATE;
      case 2 -> StartPolicy.ALLOW_IF_CLOSED;
      case 3 -> StartPolicy.TERMINATE_IF_RUNNING;
      default -> throw new PersistedEntryIncompatibleError("a start policy", code);
    };
  }

  private static ParentClosePolicy parentClose(int code) {
    return switch (code) {
      case 1 -> ParentClosePolicy.TERMINATE;
      case 2 -> ParentClosePolicy.CANCEL;
      case 3 -> ParentClosePolicy.ABANDON;
      default -> throw new PersistedEntryIncompatibleError("a parent-close policy", code);
    };
  }

  static void content(BinaryWriter out, MessageContent content) {
    int record;
    switch (content) {
      case MessageContent.Signal c -> {
        record = begin(out, 1);
        out.text(c.signal());
        OutcomeCodec.payload(out, c.payload());
        // Added later, and only written where it says something: see the golden files.
        if (c.child().isPresent()) OutcomeCodec.operation(out, c.child().get());
      }
      case MessageContent.Cancel c -> {
        record = begin(out, 2);
        out.text(c.reason());
        // Added later, and only written where it is known: see the golden files.
        if (c.child().isPresent()) out.text(c.child().get().value());
      }
      case MessageContent.Terminate c -> {
        record = begin(out, 3);
        out.text(c.reason());
        if (c.child().isPresent()) out.text(c.child().get().value());
      }
      case MessageContent.ChildEnded c -> {
        record = begin(out, 4);
        OutcomeCodec.operation(out, c.operation());
        OutcomeCodec.outcome(out, c.outcome());
        // Added later, and only written where it is known: see the golden files.
        if (c.started().isPresent()) out.text(c.started().get().value());
      }
    }
    out.end(record);
  }

  static MessageContent content(BinaryReader in) {
    int kind = in.byteOf();
    int outer = in.begin();
    MessageContent content =
        switch (kind) {
          case 1 ->
              new MessageContent.Signal(
                  in.text(),
                  OutcomeCodec.payload(in),
                  in.hasMore() ? Optional.of(OutcomeCodec.operation(in)) : Optional.empty());
          case 2 -> new MessageContent.Cancel(in.text(), guid(in));
          case 3 -> new MessageContent.Terminate(in.text(), guid(in));
          case 4 ->
              new MessageContent.ChildEnded(
                  OutcomeCodec.operation(in), OutcomeCodec.outcome(in), guid(in));
          default -> throw new PersistedEntryIncompatibleError("a message", kind);
        };
    in.end(outer);
    return content;
  }

  private static Optional<MessageGuid> guid(BinaryReader in) {
    return in.hasMore() ? Optional.of(new MessageGuid(in.text())) : Optional.empty();
  }

  private static void due(BinaryWriter out, Due due) {
    switch (due) {
      case Due.After d -> {
        out.byteOf(1);
        out.duration(d.span());
      }
      case Due.At d -> {
        out.byteOf(2);
        out.signed(d.instant().getEpochSecond());
        out.number(d.instant().getNano());
      }
    }
  }

  private static Due due(BinaryReader in) {
    int kind = in.byteOf();
    return switch (kind) {
      case 1 -> new Due.After(in.duration());
      case 2 -> new Due.At(java.time.Instant.ofEpochSecond(in.signed(), in.smallNumber()));
      default -> throw new PersistedEntryIncompatibleError("a timer", kind);
    };
  }

  private static void retry(BinaryWriter out, RetryPolicy retry) {
    if (retry.equals(USUAL_RETRY)) {
      out.byteOf(0);
      return;
    }
    boolean fails = retry.whenExhausted() == RetryPolicy.Exhaustion.FAILURE;
    boolean byType = !retry.attemptsFor().isEmpty();
    // The forms but the first came later: the first stays as every engine reads it.
    out.byteOf((fails ? 1 : 2) + (byType ? 2 : 0));
    out.number(retry.attemptsMax());
    out.duration(retry.initialBackoff());
    out.real(retry.multiplier());
    out.duration(retry.backoffMax());
    out.real(retry.jitter());
    out.all(new TreeSet<>(retry.neverFor()), BinaryWriter::text);
    if (!byType) return;
    out.number(retry.attemptsFor().size());
    new TreeMap<>(retry.attemptsFor())
        .forEach(
            (type, attempts) -> {
              out.text(type);
              out.number(attempts);
            });
  }

  private static RetryPolicy retry(BinaryReader in) {
    int form = in.byteOf();
    return switch (form) {
      case 0 -> USUAL_RETRY;
      case 1 -> policy(in);
      case 2 -> policy(in).thenIncident();
      case 3 -> attemptsFor(in, policy(in));
      case 4 -> attemptsFor(in, policy(in).thenIncident());
      default -> throw new PersistedEntryIncompatibleError("a retry policy", form);
    };
  }

  private static RetryPolicy policy(BinaryReader in) {
    return new RetryPolicy(
        in.smallNumber(),
        in.duration(),
        in.real(),
        in.duration(),
        in.real(),
        Set.copyOf(in.all(BinaryReader::text)));
  }

  private static RetryPolicy attemptsFor(BinaryReader in, RetryPolicy policy) {
    RetryPolicy all = policy;
    for (int left = in.smallNumber(); left > 0; left--)
      all = all.attempts(in.text(), in.smallNumber());
    return all;
  }

  private static void timeouts(BinaryWriter out, Timeouts timeouts) {
    if (timeouts.equals(USUAL_TIMEOUTS)) {
      out.byteOf(0);
      return;
    }
    out.byteOf(1);
    out.optional(timeouts.attempt(), BinaryWriter::duration);
    out.optional(timeouts.total(), BinaryWriter::duration);
  }

  private static Timeouts timeouts(BinaryReader in) {
    int form = in.byteOf();
    return switch (form) {
      case 0 -> USUAL_TIMEOUTS;
      case 1 ->
          new Timeouts(in.optional(BinaryReader::duration), in.optional(BinaryReader::duration));
      default -> throw new PersistedEntryIncompatibleError("timeouts", form);
    };
  }
}
