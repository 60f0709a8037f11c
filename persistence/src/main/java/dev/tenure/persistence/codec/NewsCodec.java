package dev.tenure.persistence.codec;

import dev.tenure.workflow.kernel.News;
import java.time.Instant;

/** What a held workflow's program has not learned yet. A kind's number never gets another. */
final class NewsCodec {
  private NewsCodec() {}

  static void news(BinaryWriter out, News news) {
    int record = OutcomeCodec.begin(out, kind(news));
    out.instant(news.at());
    switch (news) {
      case News.Started n -> RunCodec.start(out, n.start());
      case News.Completed n -> {
        OutcomeCodec.operation(out, n.operation());
        OutcomeCodec.outcome(out, n.outcome());
        out.optional(n.signal(), EventCodec::arrival);
      }
      case News.ChildStarted n -> OutcomeCodec.operation(out, n.operation());
      case News.SignalNotReceived n -> {
        OutcomeCodec.operation(out, n.operation());
        out.number(n.bytes());
      }
      case News.CancelRequested n -> out.text(n.reason());
      case News.UpdateArrived n -> {
        out.text(n.updateId());
        out.text(n.name());
        OutcomeCodec.payload(out, n.payload());
      }
    }
    out.end(record);
  }

  private static int kind(News news) {
    return switch (news) {
      case News.Started n -> 1;
      case News.Completed n -> 2;
      case News.ChildStarted n -> 3;
      case News.CancelRequested n -> 4;
      case News.UpdateArrived n -> 5;
      case News.SignalNotReceived n -> 6;
    };
  }

  static News news(BinaryReader in) {
    int kind = in.byteOf();
    int outer = in.begin();
    Instant at = in.instant();
    News news =
        switch (kind) {
          case 1 -> new News.Started(at, RunCodec.start(in));
          case 2 ->
              new News.Completed(
                  at,
                  OutcomeCodec.operation(in),
                  OutcomeCodec.outcome(in),
                  in.optional(EventCodec::arrival));
          case 3 -> new News.ChildStarted(at, OutcomeCodec.operation(in));
          case 4 -> new News.CancelRequested(at, in.text());
          case 5 -> new News.UpdateArrived(at, in.text(), in.text(), OutcomeCodec.payload(in));
          case 6 -> new News.SignalNotReceived(at, OutcomeCodec.operation(in), in.smallNumber());
          default -> throw new PersistedEntryIncompatibleError("news", kind);
        };
    in.end(outer);
    return news;
  }
}
