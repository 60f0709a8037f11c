package dev.tenure.bench.workflows;

import dev.tenure.bench.measure.BenchServer;
import dev.tenure.bench.measure.Options;
import dev.tenure.bench.measure.Stopwatch;
import dev.tenure.bench.measure.WarmUp;
import dev.tenure.workflow.Payload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Workflows that wait, and a signal for each until all have ended: one batch after the other.
 *
 * @param waiting at a time
 */
public record SignalBatches(int waiting, int senders) {
  /** Of batches in this process: no id is used twice. */
  private static final AtomicInteger NUMBER = new AtomicInteger();

  /** Whose workflows wait. */
  public interface Side {
    /** Completed when it is recorded and waits. */
    CompletionStage<?> start(String id);

    /** Completed when it is recorded that it has completed. */
    CompletionStage<?> end(String id);

    /** Completed when there is a signal for each, so many at a time, and all are durable. */
    CompletionStage<?> signalAll(List<String> ids, int senders);
  }

  /** One that sends each signal by itself. */
  public interface OneByOne extends Side {
    /** Completed when the signal is durable. */
    CompletionStage<?> signal(String id);

    @Override
    default CompletionStage<?> signalAll(List<String> ids, int senders) {
      AtomicInteger next = new AtomicInteger();
      CompletableFuture<?>[] ends = new CompletableFuture<?>[senders];
      for (int sender = 0; sender < senders; sender++) {
        ends[sender] = signalNext(ids, next).toCompletableFuture();
      }
      return CompletableFuture.allOf(ends);
    }

    private CompletionStage<Void> signalNext(List<String> ids, AtomicInteger next) {
      int number = next.getAndIncrement();
      return number >= ids.size()
          ? CompletableFuture.completedStage(null)
          : signal(ids.get(number)).thenCompose(done -> signalNext(ids, next));
    }
  }

  /** Batches until their rate stands still. */
  public void warm(BenchServer server, Side side, Options options) {
    WarmUp warmUp = new WarmUp(options);
    double perSecond;
    double seconds;
    do {
      long from = System.nanoTime();
      perSecond = (Double) measure(server, side, warmUp.windowSeconds()).get("signals_per_s");
      seconds = (System.nanoTime() - from) / 1e9;
    } while (!warmUp.isOver(perSecond, seconds));
  }

  /** The starts between the batches do not count. */
  public Map<String, Object> measure(BenchServer server, Side side, int seconds) {
    Stopwatch watch = new Stopwatch(server);
    long deadline = System.nanoTime() + seconds * 1_000_000_000L;
    long signals = 0;
    do {
      List<String> ids = begin(side);
      List<? extends CompletionStage<?>> ends = ids.stream().map(side::end).toList();
      watch.start();
      Engine.within(side.signalAll(ids, senders));
      Engine.withinAll(ends);
      watch.stop();
      signals += ids.size();
    } while (System.nanoTime() < deadline);
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("waiting", waiting);
    figures.put("senders", senders);
    figures.put("signals", signals);
    figures.put("signals_per_s", signals / watch.seconds());
    figures.putAll(watch.costs("signal", signals));
    return figures;
  }

  private static String idOf(int batch, int number) {
    return "signals-%d-%09d".formatted(batch, number);
  }

  private List<String> begin(Side side) {
    int batch = NUMBER.incrementAndGet();
    List<String> ids = new ArrayList<>();
    List<CompletionStage<?>> starts = new ArrayList<>();
    for (int i = 0; i < waiting; i++) {
      String id = idOf(batch, i);
      ids.add(id);
      starts.add(side.start(id));
    }
    Engine.withinAll(starts);
    return ids;
  }

  /** Tenure's own. */
  public record OfEngine(Engine engine) implements OneByOne {
    private static final Payload SIGNAL = Engine.json("go");

    /** A start's answer says that its commit stands, and with it the wait for the signal. */
    @Override
    public CompletionStage<?> start(String id) {
      return engine.start(id, "signals", Payload.NONE);
    }

    @Override
    public CompletionStage<?> end(String id) {
      return engine.completion(id);
    }

    @Override
    public CompletionStage<?> signal(String id) {
      return engine.signal(id, "signal", SIGNAL);
    }
  }
}
