package dev.tenure.persistence.merging;

import dev.tenure.persistence.storage.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Many callers, few calls of the storage: the requests that arrive while one call is under way make
 * up the next one, in their order. No request waits for a timer, so a lone one leaves at once.
 * Threads of its own make the calls.
 */
public final class MergingQueue<Q, A> implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(MergingQueue.class);
  private static final Duration RETRY_PAUSE = Duration.ofMillis(50);
  private static final Duration CLOSE_GRACE = Duration.ofSeconds(2);

  /** Makes the calls, and the answers to requests that the storage did not answer. */
  public interface Work<Q, A> {
    /**
     * Calls the storage; answer {@code i} is for request {@code i}. The same requests are given
     * again after {@link StorageException.Unavailable} and {@link StorageException.OutcomeUnknown}.
     */
    List<A> call(List<Q> requests);

    /** A new call's limits. */
    default Room<Q> room() {
      return request -> true;
    }

    /**
     * Whether a call failed because of one of its requests. Halves of the call then find out which,
     * and spare the others.
     */
    default boolean isRefusal(RuntimeException failure) {
      return failure instanceof StorageException.Refused;
    }

    /** Answers the request that was refused, or throws its failure. */
    default A refused(Q request, RuntimeException refusal) {
      throw refusal;
    }

    /**
     * Answers a request of which the storage did not say in time whether it took effect, or throws.
     */
    A unknown(Q request, Throwable cause);

    /** Requests of one lane are never in two calls at once, and keep their order. */
    default int lane(Q request) {
      return 0;
    }

    /** What a request fails with that was certainly not handed to the storage. */
    RuntimeException notTaken();
  }

  /** Which requests may share a call; asked for each in its order, from the first to the last. */
  @FunctionalInterface
  public interface Room<Q> {
    /** The first request of a call is always taken, also beyond this limit. */
    boolean takes(Q request);
  }

  /**
   * @param merged requests in one call
   * @param waiting requests that may wait in each lane; one more is refused
   * @param resolving for how long a call that failed is made again
   * @param lanes how many calls may be under way at once
   * @param spreadAbove while more requests wait, each lane makes calls of its own
   */
  public record Limits(int merged, int waiting, Duration resolving, int lanes, int spreadAbove) {
    /** One call at a time. */
    public Limits(int merged, int waiting, Duration resolving) {
      this(merged, waiting, resolving, 1, 0);
    }
  }

  private record Waiting<Q, A>(Q request, CompletableFuture<A> answer) {}

  private final Limits limits;
  private final Work<Q, A> work;
  private final Lanes<Waiting<Q, A>> lanes;
  private final List<Thread> threads = new ArrayList<>();

  public MergingQueue(String name, Limits limits, Work<Q, A> work) {
    this.limits = limits;
    this.work = work;
    this.lanes = new Lanes<>(limits.lanes, limits.waiting, limits.spreadAbove);
    for (int i = 0; i < limits.lanes; i++) {
      int lane = i;
      threads.add(
          Thread.ofPlatform()
              .name(limits.lanes == 1 ? name : name + "-" + lane)
              .daemon()
              .start(() -> run(lane)));
    }
  }

  /**
   * Hands a request in; never blocks. The answer fails with {@link Work#notTaken} when its lane is
   * full or closed. What depends on the answer runs on the queue's thread: it must be short.
   */
  public CompletionStage<A> ask(Q request) {
    Waiting<Q, A> waiting = new Waiting<>(request, new CompletableFuture<>());
    if (!lanes.offer(work.lane(request) % limits.lanes, waiting))
      waiting.answer.completeExceptionally(work.notTaken());
    return waiting.answer;
  }

  /** Hands requests in, and waits for the answers; answer {@code i} is for request {@code i}. */
  public List<A> answers(List<Q> requests) {
    List<CompletionStage<A>> asked = requests.stream().map(this::ask).toList();
    List<A> answers = new ArrayList<>(asked.size());
    try {
      for (CompletionStage<A> one : asked) answers.add(one.toCompletableFuture().join());
    } catch (CompletionException failed) {
      if (failed.getCause() instanceof RuntimeException cause) throw cause;
      throw failed;
    }
    return answers;
  }

  /** Hands a request in, and waits for its answer. */
  public A answer(Q request) {
    return answers(List.of(request)).getFirst();
  }

  private void run(int lane) {
    try {
      while (true) {
        Room<Q> room = work.room();
        Call call =
            new Call(lane, lanes.begin(lane, limits.merged, one -> room.takes(one.request)));
        if (call.all.isEmpty()) break;
        call.make();
      }
    } catch (InterruptedException e) {
      log.warn("{} is closed before all its requests were answered", name());
    }
    // A lane without a thread takes no more, and neither do the others.
    for (Waiting<Q, A> one : lanes.abandon()) one.answer.completeExceptionally(work.notTaken());
  }

  /** What one thread takes from the lanes at once. Usually one call of the storage. */
  private final class Call {
    private final int lane;
    private final List<Waiting<Q, A>> all;
    private boolean ended;

    private Call(int lane, List<Waiting<Q, A>> all) {
      this.lane = lane;
      this.all = all;
    }

    private void make() throws InterruptedException {
      try {
        make(all, true);
      } catch (InterruptedException e) {
        unknown(all, e);
        throw e;
      } catch (RuntimeException | Error e) {
        // A thread that dies would silently hold up all its callers for ever.
        log.error("{}: a call failed in an unforeseen way", name(), e);
        unknown(all, e);
      } finally {
        end(0);
      }
    }

    private void end(int answers) {
      if (!ended) lanes.end(lane, answers);
      ended = true;
    }

    /**
     * @param last whether nothing of the whole is left after it, so that the next call can be under
     *     way while this one's answers are given
     */
    private void make(List<Waiting<Q, A>> batch, boolean last) throws InterruptedException {
      long begun = System.nanoTime();
      while (true) {
        try {
          List<A> answers = work.call(requests(batch));
          requireAll(answers, batch);
          if (last) end(answers.size());
          for (int i = 0; i < answers.size(); i++) batch.get(i).answer.complete(answers.get(i));
          return;
        } catch (StorageException.Unavailable | StorageException.OutcomeUnknown e) {
          if (System.nanoTime() - begun >= limits.resolving.toNanos()) {
            log.warn("{}: {} requests stay unanswered: {}", name(), batch.size(), e.getMessage());
            unknown(batch, e);
            return;
          }
          pause();
        } catch (RuntimeException e) {
          if (!work.isRefusal(e)) throw e;
          if (batch.size() == 1) {
            complete(batch.getFirst(), () -> work.refused(batch.getFirst().request, e));
            return;
          }
          int half = batch.size() / 2;
          make(batch.subList(0, half), false);
          make(batch.subList(half, batch.size()), last);
          return;
        }
      }
    }
  }

  private static String name() {
    return Thread.currentThread().getName();
  }

  private static void pause() throws InterruptedException {
    LockSupport.parkNanos(RETRY_PAUSE.toNanos());
    if (Thread.interrupted()) throw new InterruptedException();
  }

  private static <Q, A> List<Q> requests(List<Waiting<Q, A>> batch) {
    List<Q> requests = new ArrayList<>(batch.size());
    for (Waiting<Q, A> one : batch) requests.add(one.request);
    return requests;
  }

  private static void requireAll(List<?> answers, List<?> batch) {
    if (answers.size() != batch.size()) {
      throw new IllegalStateException(
          "the storage answered " + answers.size() + " of " + batch.size() + " requests");
    }
  }

  private void unknown(List<Waiting<Q, A>> batch, Throwable cause) {
    for (Waiting<Q, A> one : batch) complete(one, () -> work.unknown(one.request, cause));
  }

  private static <Q, A> void complete(Waiting<Q, A> waiting, Supplier<A> answer) {
    try {
      waiting.answer.complete(answer.get());
    } catch (RuntimeException failure) {
      waiting.answer.completeExceptionally(failure);
    }
  }

  /** Takes no more; waits for nothing. */
  void closeSoon() {
    lanes.close();
  }

  /**
   * Takes no more, and finishes what was handed in. What the storage did not answer within the
   * resolve limit is given up.
   */
  @Override
  public void close() {
    closeSoon();
    long deadline = System.nanoTime() + limits.resolving.plus(CLOSE_GRACE).toNanos();
    for (Thread thread : threads) {
      try {
        if (!thread.join(Duration.ofNanos(Math.max(0, deadline - System.nanoTime()))))
          thread.interrupt();
      } catch (InterruptedException e) {
        thread.interrupt();
        Thread.currentThread().interrupt();
      }
    }
  }
}
