package dev.tenure.bench.http.load;

import dev.tenure.bench.http.load.Connection.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;

/** All connections on one thread: what it costs is the kernel's, and little beside it. */
final class Loop {
  private static final int SELECT_MS = 20;
  private static final double NANOS = 1e9;

  private final Selector selector;
  private final List<Connection> all = new ArrayList<>();
  private final ArrayDeque<Connection> idle = new ArrayDeque<>();
  private final List<Request> requests = new ArrayList<>();
  private final String host;
  private final List<String> keys;

  private final Histogram latencies = new Histogram(TimeUnit.MINUTES.toNanos(2), 3);
  private final Map<Integer, Long> statuses = new TreeMap<>();
  private long sayingWhenToRetry;
  private long markedAt;
  private Plan plan;
  private long next;
  private long begun;

  Loop(InetSocketAddress server, int connections, List<String> keys) throws IOException {
    this.selector = Selector.open();
    this.host = server.getHostString() + ":" + server.getPort();
    this.keys = keys;
    for (int i = 0; i < connections; i++) all.add(Connection.open(server, selector));
  }

  /**
   * Sends what the plan says, until it is through or was told to stop, and all answers are there.
   */
  Sent run(Plan what, BooleanSupplier stopped, BooleanSupplier marked) throws IOException {
    plan = what;
    requests.clear();
    for (String key : keys) requests.add(Request.post(host, key, plan.path(), plan.body()));
    next = 0;
    idle.clear();
    idle.addAll(all);
    mark();
    begun = System.nanoTime();
    while (true) {
      if (marked.getAsBoolean()) mark();
      boolean through = stopped.getAsBoolean() || plan.count() > 0 && next >= plan.count();
      if (through && idle.size() == all.size()) break;
      if (!through) pump();
      selector.select(this::ready, timeoutMs());
    }
    return new Sent(
        Map.copyOf(statuses),
        sayingWhenToRetry,
        next,
        (System.nanoTime() - markedAt) / NANOS,
        Sent.packed(latencies));
  }

  private void mark() {
    latencies.reset();
    statuses.clear();
    sayingWhenToRetry = 0;
    markedAt = System.nanoTime();
  }

  /** Sends what is due, as far as there are connections for it. */
  private void pump() throws IOException {
    while (!idle.isEmpty() && (plan.count() == 0 || next < plan.count())) {
      long now = System.nanoTime();
      long due = plan.perSecond() == 0 ? now : begun + (long) (next * NANOS / plan.perSecond());
      if (due > now) return;
      Connection connection = idle.poll();
      connection.send(requests.get((int) (next % requests.size())), next, due);
      next++;
    }
  }

  /** A request that has its time is sent within a millisecond of it. */
  private long timeoutMs() {
    return plan.perSecond() == 0 || idle.isEmpty() ? SELECT_MS : 1;
  }

  private void ready(SelectionKey key) {
    Connection connection = (Connection) key.attachment();
    try {
      Optional<Answer> answer = connection.receive();
      if (answer.isEmpty()) return;
      count(answer.get(), System.nanoTime() - connection.dueAt);
      idle.add(connection);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void count(Answer answer, long nanos) {
    if (!plan.statuses().contains(answer.status())) {
      throw new IllegalStateException("an answer with an unexpected status: " + answer.text());
    }
    latencies.recordValue(Math.min(nanos, latencies.getHighestTrackableValue()));
    statuses.merge(answer.status(), 1L, Long::sum);
    if (answer.saysWhenToRetry()) sayingWhenToRetry++;
  }

  void close() throws IOException {
    for (Connection connection : all) connection.close();
    selector.close();
  }
}
