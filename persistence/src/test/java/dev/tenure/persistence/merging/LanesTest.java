package dev.tenure.persistence.merging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.persistence.storage.Gate;
import dev.tenure.persistence.storage.StoreUnderTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Which requests share a call, and which calls are under way at once. */
class LanesTest {
  private static final int LANES = 2;
  private static final int SPREAD_ABOVE = 10;

  private record Request(int lane, int number) {}

  /** What a call was about. */
  private static Set<Integer> lanesOf(List<Request> requests) {
    return requests.stream().map(Request::lane).collect(Collectors.toSet());
  }

  private abstract static class Answering implements MergingQueue.Work<Request, Integer> {
    final List<List<Request>> calls = new CopyOnWriteArrayList<>();

    abstract void during(List<Request> requests);

    @Override
    public List<Integer> call(List<Request> requests) {
      calls.add(requests);
      during(requests);
      return requests.stream().map(Request::number).toList();
    }

    @Override
    public int lane(Request request) {
      return request.lane;
    }

    @Override
    public Integer unknown(Request request, Throwable cause) {
      throw new AssertionError(cause);
    }

    @Override
    public RuntimeException notTaken() {
      return new IllegalStateException("not taken");
    }
  }

  private static MergingQueue<Request, Integer> queue(Answering work) {
    return new MergingQueue<>(
        "test",
        new MergingQueue.Limits(1_000, 100_000, Duration.ofSeconds(1), LANES, SPREAD_ABOVE),
        work);
  }

  private static void awaitAll(List<CompletionStage<Integer>> answers) throws Exception {
    for (CompletionStage<Integer> one : answers)
      assertThat(one.toCompletableFuture().get(60, TimeUnit.SECONDS)).isNotNull();
  }

  @Test
  void whileFewWaitOneCallCarriesThoseOfAllLanes() throws Exception {
    Gate gate = new Gate();
    Answering work =
        new Answering() {
          @Override
          void during(List<Request> requests) {
            gate.pass();
          }
        };
    try (MergingQueue<Request, Integer> queue = queue(work)) {
      List<CompletionStage<Integer>> answers = new ArrayList<>();
      answers.add(queue.ask(new Request(0, 0)));
      gate.awaitArrival();
      for (int i = 0; i < SPREAD_ABOVE; i++) answers.add(queue.ask(new Request(i % LANES, i)));
      gate.open();
      awaitAll(answers);
      assertThat(work.calls).hasSize(2);
      assertThat(lanesOf(work.calls.getLast())).containsExactly(0, 1);
    }
  }

  @Test
  void whileManyWaitEachLaneHasACallOfItsOwnAtOnce() throws Exception {
    Gate first = new Gate();
    CompletableFuture<Void> zero = new CompletableFuture<>();
    CompletableFuture<Void> one = new CompletableFuture<>();
    Answering work =
        new Answering() {
          @Override
          void during(List<Request> requests) {
            if (requests.size() == 1) {
              first.pass();
              return;
            }
            // Each of the two waits until the other one is under way.
            (lanesOf(requests).contains(0) ? zero : one).complete(null);
            CompletableFuture.allOf(zero, one).orTimeout(60, TimeUnit.SECONDS).join();
          }
        };
    try (MergingQueue<Request, Integer> queue = queue(work)) {
      List<CompletionStage<Integer>> answers = new ArrayList<>();
      answers.add(queue.ask(new Request(0, 0)));
      first.awaitArrival();
      for (int i = 0; i < 4 * SPREAD_ABOVE; i++) answers.add(queue.ask(new Request(i % LANES, i)));
      first.open();
      awaitAll(answers);
      assertThat(work.calls).hasSize(3);
      assertThat(lanesOf(work.calls.get(1))).hasSize(1);
      assertThat(lanesOf(work.calls.get(2))).hasSize(1);
    }
  }

  /** As while many large commits wait that belong to one lane. */
  @Test
  void aLaneInWhichMoreWaitsThanOneCallTakesHoldsUpNoOther() throws Exception {
    Gate first = new Gate();
    AtomicReference<MergingQueue<Request, Integer>> queue = new AtomicReference<>();
    AtomicReference<String> caller = new AtomicReference<>();
    Answering work =
        new Answering() {
          @Override
          void during(List<Request> requests) {
            if (calls.size() == 1) {
              caller.set(Thread.currentThread().getName());
              first.pass();
            } else if (calls.size() < 50)
              // As many come as this call takes.
              for (Request one : requests) queue.get().ask(one);
          }
        };
    MergingQueue.Limits limits =
        new MergingQueue.Limits(2, 100_000, Duration.ofSeconds(1), LANES, SPREAD_ABOVE);
    try (MergingQueue<Request, Integer> open = new MergingQueue<>("test", limits, work)) {
      queue.set(open);
      open.ask(new Request(0, 0));
      first.awaitArrival();
      // The thread that made the first call gives few answers, and makes the next one.
      int full = caller.get().endsWith("0") ? 0 : 1;
      int other = 1 - full;
      for (int i = 0; i < 4; i++) open.ask(new Request(full, i));
      CompletionStage<Integer> answer = open.ask(new Request(other, 0));
      first.open();
      awaitAll(List.of(answer));
      // More calls may come meanwhile, or none.
      assertThat(work.calls.stream().skip(1).limit(LANES))
          .anyMatch(call -> lanesOf(call).contains(other));
    }
  }

  @Test
  void requestsOfALaneKeepTheirOrderAndAreNeverInTwoCallsAtOnce() throws Exception {
    Map<Integer, AtomicReference<Thread>> underWay = new HashMap<>();
    Map<Integer, Integer> newest = new java.util.concurrent.ConcurrentHashMap<>();
    List<String> wrong = new CopyOnWriteArrayList<>();
    for (int lane = 0; lane < LANES; lane++) underWay.put(lane, new AtomicReference<>());
    Answering work =
        new Answering() {
          @Override
          void during(List<Request> requests) {
            for (int lane : lanesOf(requests))
              if (!underWay.get(lane).compareAndSet(null, Thread.currentThread()))
                wrong.add("two calls for lane " + lane);
            for (Request one : requests) {
              Integer before = newest.put(one.lane, one.number);
              if (before != null && before >= one.number) wrong.add(one + " came after " + before);
            }
            LockSupport.parkNanos(20_000);
            for (int lane : lanesOf(requests)) underWay.get(lane).set(null);
          }
        };
    Random random = StoreUnderTest.random("lanes");
    try (MergingQueue<Request, Integer> queue = queue(work)) {
      List<Thread> senders = new ArrayList<>();
      List<List<CompletionStage<Integer>>> answers = new ArrayList<>();
      for (int lane = 0; lane < LANES; lane++) {
        // One sender for each lane, so that the order of its requests is known.
        int mine = lane;
        long seed = random.nextLong();
        List<CompletionStage<Integer>> own = new ArrayList<>();
        answers.add(own);
        senders.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      Random pauses = new Random(seed);
                      for (int i = 0; i < 20_000; i++) {
                        own.add(queue.ask(new Request(mine, i)));
                        if (pauses.nextInt(20) == 0) LockSupport.parkNanos(pauses.nextInt(200_000));
                      }
                    }));
      }
      for (Thread sender : senders) sender.join();
      for (List<CompletionStage<Integer>> own : answers) awaitAll(own);
    }
    assertThat(wrong).isEmpty();
    assertThat(work.calls.stream().mapToInt(List::size).sum()).isEqualTo(LANES * 20_000);
    assertThat(work.calls).anyMatch(call -> lanesOf(call).size() == LANES);
    assertThat(work.calls).anyMatch(call -> call.size() > SPREAD_ABOVE);
  }

  @Test
  void closingAnswersWhatWasHandedInAndEndsEveryThread() throws Exception {
    Gate gate = new Gate();
    Answering work =
        new Answering() {
          @Override
          void during(List<Request> requests) {
            gate.pass();
          }
        };
    MergingQueue<Request, Integer> queue = queue(work);
    List<CompletionStage<Integer>> answers = new ArrayList<>();
    for (int i = 0; i < 100; i++) answers.add(queue.ask(new Request(i % LANES, i)));
    gate.awaitArrival();
    CompletableFuture<Void> closed = CompletableFuture.runAsync(queue::close);
    gate.open();
    closed.get(60, TimeUnit.SECONDS);
    awaitAll(answers);
    assertThat(queue.ask(new Request(0, 0)).toCompletableFuture()).isCompletedExceptionally();
  }

  /** Its callers would wait for ever. */
  @Test
  void whenAThreadFailsBetweenCallsWhoeverWaitsIsTold() {
    Answering work =
        new Answering() {
          @Override
          void during(List<Request> requests) {}

          @Override
          public MergingQueue.Room<Request> room() {
            throw new StackOverflowError("on purpose");
          }
        };
    try (MergingQueue<Request, Integer> queue = queue(work)) {
      assertThat(queue.ask(new Request(0, 1)))
          .failsWithin(Duration.ofSeconds(60))
          .withThrowableThat()
          .withRootCauseInstanceOf(IllegalStateException.class)
          .withMessageContaining("not taken");
    }
  }
}
