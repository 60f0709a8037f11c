package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.lifecycle.OperationPhase;
import dev.tenure.workflow.operation.MessageContent;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationSpec;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How many bytes a commit has at most, because of what is open, that ends a run and begins the
 * next. It follows from what is on record alone, so each owner counts the same.
 *
 * @param ended for what is given up, and for what children are told then
 * @param carried for what is not delivered yet, which becomes less as it is delivered
 */
record RenewalSize(long ended, long carried) {
  /** GUIDs, lengths and integers of one delivery, without its texts and what it carries. */
  private static final int FRAME_BYTES = 192;

  /** The reason that a child is given, with the GUID of its start. */
  private static final int NOTICE_BYTES = 128;

  private static final int LENGTH_BYTES = 4;

  /** Kind and lengths of an attribute, and its value when that is no text. */
  private static final int VALUE_BYTES = 32;

  /**
   * @param untold the news that the program has not learned: signals among them are given back
   */
  static RenewalSize of(Collection<Operation> open, List<News> untold) {
    long ended = 0;
    long carried = 0;
    for (Operation one : open)
      if (isUndelivered(one)) carried += Sizes.openBytes(one) + deliveryBytes(one);
      else ended += Sizes.openBytes(one) + noticeBytes(one);
    for (News one : untold)
      if (one instanceof News.Completed completed && completed.signal().isPresent())
        ended += Sizes.returnedBytes(completed.operation(), completed.signal().get().signal());
    return new RenewalSize(ended, carried);
  }

  long bytes() {
    return ended + carried;
  }

  /**
   * Why the run cannot continue as new. What is on its way will be delivered, and makes room; what
   * is open for other reasons may stay so for ever.
   */
  Optional<Incident> refusal(int max) {
    return ended <= max
        ? Optional.empty()
        : Optional.of(
            new Incident.InvalidWish(
                "What is open takes %d bytes where the next run begins, past %s = %d. Wait for some of it, or give it up, before the workflow continues as new."
                    .formatted(ended, Limits.CARRIED_BYTES, max)));
  }

  /** Those among them that go over to the next run. */
  static List<Operation> undelivered(Collection<Operation> open) {
    return open.stream().filter(RenewalSize::isUndelivered).toList();
  }

  static boolean isUndelivered(Operation operation) {
    return operation.phase() == OperationPhase.SENDING
        || operation.phase() == OperationPhase.LET_GO;
  }

  /** What its child is told, when the run does not wait for it any more, goes over as well. */
  private static long noticeBytes(Operation operation) {
    if (!(operation.spec() instanceof OperationSpec.Child child)
        || child.onParentClose() == ParentClosePolicy.ABANDON) return 0;
    return FRAME_BYTES + NOTICE_BYTES + Sizes.textBytesMax(child.id().value());
  }

  private static long deliveryBytes(Operation operation) {
    long name =
        operation
            .sent()
            .map(sent -> Sizes.textBytesMax(sent.as().value()))
            .orElseGet(() -> Sizes.textBytesMax(operation.id().value()));
    long then = operation.afterwards().map(RenewalSize::contentBytes).orElse(0L);
    return FRAME_BYTES + name + then + specBytes(operation.spec()) + noticeBytes(operation);
  }

  private static long specBytes(OperationSpec spec) {
    return switch (spec) {
      case OperationSpec.Child child ->
          Sizes.textBytesMax(child.id().value())
              + Sizes.textBytesMax(child.type())
              + child.input().size()
              + attributeBytes(child.attributes());
      case OperationSpec.Message(var target, MessageContent content) ->
          Sizes.textBytesMax(target.value()) + contentBytes(content);
      case OperationSpec.Attempted _, OperationSpec.Awaited _, OperationSpec.Recorded _ -> 0;
    };
  }

  private static long contentBytes(MessageContent content) {
    return switch (content) {
      case MessageContent.Signal signal ->
          Sizes.textBytesMax(signal.signal())
              + signal.payload().size()
              + signal.child().map(id -> Sizes.textBytesMax(id.value())).orElse(0L);
      case MessageContent.Cancel cancel -> NOTICE_BYTES + Sizes.textBytesMax(cancel.reason());
      case MessageContent.Terminate end -> NOTICE_BYTES + Sizes.textBytesMax(end.reason());
      case MessageContent.ChildEnded ended ->
          NOTICE_BYTES
              + Sizes.textBytesMax(ended.operation().value())
              + Sizes.bytesMax(ended.outcome());
    };
  }

  private static long attributeBytes(Map<String, Attribute> attributes) {
    long bytes = 0;
    for (Map.Entry<String, Attribute> one : attributes.entrySet())
      bytes += VALUE_BYTES + Sizes.textBytesMax(one.getKey()) + textBytes(one.getValue());
    return bytes;
  }

  private static long textBytes(Attribute value) {
    return switch (value) {
      case Attribute.OfText(String text) -> Sizes.textBytesMax(text);
      case Attribute.OfTexts(List<String> texts) -> {
        long bytes = 0;
        for (String text : texts) bytes += LENGTH_BYTES + Sizes.textBytesMax(text);
        yield bytes;
      }
      case Attribute.OfLong _,
          Attribute.OfDouble _,
          Attribute.OfBoolean _,
          Attribute.OfInstant _,
          Attribute.Removed _ ->
          0;
    };
  }
}
