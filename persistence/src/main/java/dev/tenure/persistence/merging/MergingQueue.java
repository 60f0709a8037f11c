package dev.tenure.persistence.merging;

import dev.tenure.persistence.storage.StorageException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
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

  /** Nobody waits for the answers of a node that ends, and it must end in time. */
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(3);

  /** Makes the calls, and the answers to requests that the storage did not answer. */
  public interface Work<Q, A> {
    /**
     * Calls the storage; answer {@code i} is for request {@code i}. The same requests are given
     * again after {@link StorageException.Unavailable} and {@link StorageException.OutcomeUnknown},
     * some of them alone, or after others that came later.
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
        Call call = new Call(lane);
        if (call.isEmpty()) break;
        call.make();
      }
    } catch (InterruptedException e) {
      log.warn("{} is closed before all its requests were answered", name());
    } catch (RuntimeException | Error e) {
      log.error("{} takes no more requests: one of its threads failed", name(), e);
    } finally {
      // A lane without a thread takes no more, and neither do the others.
      for (Waiting<Q, A> one : lanes.abandon()) one.answer.completeExceptionally(work.notTaken());
    }
  }

  /** Requests that are handed to the storage together, and how that went so far. */
  private record Part<Q, A>(
      List<Waiting<Q, A>> requests, long begunNanos, Optional<String> answered) {
    boolean isOne() {
      return requests.size() == 1;
    }

    Part<Q, A> answered(Optional<String> answer) {
      return new Part<>(requests, begunNanos, answer);
    }

    Part<Q, A> firstHalf() {
      return new Part<>(requests.subList(0, requests.size() / 2), begunNanos, answered);
    }

    Part<Q, A> secondHalf() {
      int half = requests.size() / 2;
      return new Part<>(requests.subList(half, requests.size()), begunNanos, answered);
    }
  }

  /**
   * What one thread takes from the lanes at once. Usually one call of the storage. When the storage
   * refuses it, or answers twice with the same error, halves of it find out which request is at
   * fault, and spare the others.
   */
  private final class Call {
    private final int lane;
    private final Predicate<Waiting<Q, A>> fits;
    private final Deque<Part<Q, A>> parts = new ArrayDeque<>();
    private boolean ended;

    /** Since a request of this call failed, others went through: the storage works. */
    private boolean othersWentThrough;

    private Call(int lane) throws InterruptedException {
      Room<Q> room = work.room();
      this.lane = lane;
      this.fits = one -> room.takes(one.request);
      add(lanes.begin(lane, limits.merged, fits));
    }

    private void add(List<Waiting<Q, A>> requests) {
      if (!requests.isEmpty())
        parts.addFirst(new Part<>(requests, System.nanoTime(), Optional.empty()));
    }

    private boolean isEmpty() {
      return parts.isEmpty();
    }

    private void make() throws InterruptedException {
      Part<Q, A> part = parts.getFirst();
      try {
        while (!parts.isEmpty()) {
          part = parts.removeFirst();
          make(part);
        }
      } catch (InterruptedException e) {
        giveUp(part, e);
        throw e;
      } catch (RuntimeException | Error e) {
        // A thread that dies would silently hold up all its callers for ever.
        log.error("{}: a call failed in an unforeseen way", name(), e);
        giveUp(part, e);
      } finally {
        end(0);
      }
    }

    private void giveUp(Part<Q, A> part, Throwable cause) {
      unknown(part.requests, cause);
      for (Part<Q, A> one : parts) unknown(one.requests, cause);
    }

    private void end(int answers) {
      if (!ended) lanes.end(lane, answers);
      ended = true;
    }

    private void make(Part<Q, A> part) throws InterruptedException {
      try {
        List<A> answers = work.call(requests(part.requests));
        requireAll(answers, part.requests);
        othersWentThrough = true;
        // The next call can be under way while this one's answers are given.
        if (parts.isEmpty()) end(answers.size());
        for (int i = 0; i < answers.size(); i++)
          part.requests.get(i).answer.complete(answers.get(i));
      } catch (StorageException.Unavailable | StorageException.OutcomeUnknown e) {
        failed(part, e);
      } catch (RuntimeException e) {
        if (!work.isRefusal(e)) throw e;
        refused(part, e);
      }
    }

    private void refused(Part<Q, A> part, RuntimeException refusal) {
      if (part.isOne()) {
        Waiting<Q, A> one = part.requests.getFirst();
        complete(one, () -> work.refused(one.request, refusal));
        return;
      }
      parts.addFirst(part.secondHalf());
      parts.addFirst(part.firstHalf());
    }

    /**
     * The first failure of a part says nothing of its requests: it is handed in again. So is one
     * that the storage did not answer at all.
     */
    private void failed(Part<Q, A> part, StorageException failure) throws InterruptedException {
      boolean again = failure.answer().isPresent() && failure.answer().equals(part.answered);
      boolean atFault = again && part.isOne() && othersWentThrough;
      boolean over = System.nanoTime() - part.begunNanos >= limits.resolving.toNanos();
      if (atFault || over) {
        log.warn(
            "{}: {} requests stay unanswered: {}",
            name(),
            part.requests.size(),
            failure.getMessage());
        unknown(part.requests, failure);
        return;
      }
      pause();
      if (again) apart(part);
      else parts.addFirst(part.answered(failure.answer()));
    }

    /**
     * The part has failed twice with the same answer. What did not fail comes first: a failure may
     * take its time, and the whole call has a limit. When nothing else is left, requests that wait
     * in the lanes show whether the storage works at all.
     */
    private void apart(Part<Q, A> part) {
      if (part.isOne()) {
        if (parts.isEmpty()) add(lanes.more(lane, limits.merged, fits));
        parts.addLast(part);
      } else {
        parts.addLast(part.firstHalf());
        parts.addLast(part.secondHalf());
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
   * Takes no more, and finishes what was handed in. What the storage did not answer within a few
   * seconds is given up.
   */
  @Override
  public void close() {
    closeSoon();
    Duration patience = limits.resolving.plus(CLOSE_GRACE);
    if (patience.compareTo(CLOSE_LIMIT) > 0) patience = CLOSE_LIMIT;
    long deadline = System.nanoTime() + patience.toNanos();
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
