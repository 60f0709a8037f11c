package dev.tenure.sharding.task;

import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.task.TakenTask;
import dev.tenure.persistence.task.TaskResult;
import dev.tenure.persistence.task.TaskToken;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where workers of all languages get tasks of a node and report on them. A poll takes when it
 * comes. When there is nothing for it, it waits in memory and costs nothing: the desk is told which
 * queues have work by the owners of this node, by the desks of the others, and by one look for all
 * queues that polls wait for.
 */
public final class TaskDesk implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TaskDesk.class);

  /** The longest that a poll waits for tasks. */
  public static final Duration WAIT_MAX = Duration.ofSeconds(60);

  /** How often the desk looks for work of which nobody told it, and for workers that are lost. */
  public static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  /** How often polls are ended whose time is over. */
  static final Duration SWEEP_EVERY = Duration.ofMillis(250);

  /** For how long a take may go on beyond the time of its poll. */
  static final Duration TAKE_LIMIT = Duration.ofSeconds(10);

  /** A look that is older says nothing about a queue. */
  private static final Duration LOOK_COUNTS_FOR = LOOK_EVERY.multipliedBy(3);

  private static final Duration LOOK_SOON = Duration.ofMillis(20);
  private static final int QUEUES_OF_A_LOOK = 1_000;
  static final int EXPIRED_AT_ONCE = 500;
  private static final int EXPIRIES_OF_A_LOOK = 20;

  /** Runs a task after a pause; the task does not block. */
  @FunctionalInterface
  public interface Pauses {
    void after(Duration pause, Runnable task);
  }

  /**
   * How many polls may wait at once.
   *
   * @param polls on the node
   * @param pollsOfQueue for one queue
   */
  public record Limits(int polls, int pollsOfQueue) {
    public static final Limits DEFAULT = new Limits(10_000, 4_000);
  }

  /**
   * What the desk is given.
   *
   * @param tasks for what the desk does by itself; {@code calls} is for workers
   * @param hints tells other desks; never this one
   * @param nanos a clock that only measures, as {@link System#nanoTime}
   * @param blocking runs the desk's own calls of the storage
   * @param answers runs what depends on an answer
   * @param received turns what a worker sends into what is stored
   */
  public record Setup(
      Tasks tasks,
      TaskCalls calls,
      Owners owners,
      QueueHints hints,
      Pauses pauses,
      LongSupplier nanos,
      Executor blocking,
      Executor answers,
      UnaryOperator<Payload> received,
      Limits limits) {}

  private final Setup setup;
  private final Polls polls;
  private final OutgoingHints outgoing;
  private final AtomicBoolean sweeps = new AtomicBoolean();
  private final AtomicBoolean looksSoon = new AtomicBoolean();
  private final AtomicBoolean forAll = new AtomicBoolean();
  private volatile boolean closed;
  private volatile long lookedAt;

  public TaskDesk(Setup setup) {
    this.setup = setup;
    this.polls = new Polls(setup.limits);
    this.outgoing = new OutgoingHints(setup.hints, setup.pauses);
    this.lookedAt = setup.nanos.getAsLong();
  }

  /** Begins to look by itself. */
  public void start() {
    setup.pauses.after(LOOK_EVERY, () -> setup.blocking.execute(this::look));
  }

  // --- polls

  /**
   * Takes tasks for a worker, at once or within this time.
   *
   * @param wait at most {@link #WAIT_MAX}; zero takes once
   * @throws TaskDeskBusyError when too many polls wait
   */
  public WaitingPoll take(String queue, Tasks.Poll request, Duration wait) {
    if (wait.isNegative() || wait.compareTo(WAIT_MAX) > 0)
      throw new IllegalArgumentException(
          "A poll cannot wait for %s: use 0 to %s.".formatted(wait, WAIT_MAX));
    long now = setup.nanos.getAsLong();
    boolean mayWait = !wait.isZero() && now - lookedAt < LOOK_COUNTS_FOR.toNanos();
    Poll poll = polls.add(queue, request, now + wait.toNanos(), mayWait);
    if (poll.isOver) poll.answer.complete(List.of());
    else sweepLater();
    if (poll.isTaking) take(poll);
    return new WaitingPoll() {
      @Override
      public CompletionStage<List<TakenTask>> tasks() {
        return poll.answer;
      }

      @Override
      public void withdraw() {
        if (polls.end(poll)) answer(poll, List.of());
      }
    };
  }

  private void take(Poll poll) {
    setup
        .calls
        .take(poll.line.queue.name, poll.request)
        .whenComplete(
            (tasks, failure) -> {
              if (failure == null) took(poll, tasks);
              else failed(poll, failure);
            });
  }

  private void took(Poll poll, List<TakenTask> tasks) {
    Polls.Taken after = polls.took(poll, tasks, setup.nanos.getAsLong());
    if (after.isOver()) answer(poll, tasks);
    else tasks.forEach(this::giveBack);
    after.called().forEach(this::take);
  }

  private void failed(Poll poll, Throwable failure) {
    if (!polls.failed(poll).isOver()) return;
    setup.answers.execute(() -> poll.answer.completeExceptionally(cause(failure)));
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  private void answer(Poll poll, List<TakenTask> tasks) {
    setup.answers.execute(() -> poll.answer.complete(tasks));
  }

  /** The worker went away while this was taken for it. */
  private void giveBack(TakenTask task) {
    setup
        .calls
        .hear(new Tasks.Report.Returned(task.token()))
        .whenComplete(
            (heard, failure) -> {
              // It counts as lost after its visibility timeout, then.
              if (failure != null)
                log.warn("{} cannot be given back: {}", task.offer().id(), failure.toString());
              else offered(Set.of(task.offer().queueing().queue()));
            });
  }

  private void sweepLater() {
    if (!sweeps.compareAndSet(false, true)) return;
    setup.pauses.after(
        SWEEP_EVERY,
        () -> {
          sweeps.set(false);
          sweep();
          if (!polls.isEmpty()) sweepLater();
        });
  }

  private void sweep() {
    long now = setup.nanos.getAsLong();
    for (Poll poll : polls.endWaiting(now)) answer(poll, List.of());
    for (Poll poll : polls.endTaking(now - TAKE_LIMIT.toNanos()))
      setup.answers.execute(
          () ->
              poll.answer.completeExceptionally(
                  new StorageException.Unavailable(
                      "the tasks of a poll were not taken within " + TAKE_LIMIT, null)));
  }

  // --- what has work

  /** A commit that stands has put tasks into these queues. Called on any thread of this node. */
  public void offered(Collection<String> queues) {
    if (queues.isEmpty()) return;
    heard(queues);
    outgoing.add(queues);
  }

  /** Another desk says that these queues have work. */
  public void heard(Collection<String> queues) {
    polls.noteWork(queues).forEach(this::take);
  }

  private void look() {
    quietly("the look for lost workers", this::expire);
    quietly(
        "the look for tasks",
        () -> {
          lookFor(polls.waitedFor());
          lookedAt = setup.nanos.getAsLong();
        });
    if (!closed) start();
  }

  private void lookFor(Set<String> queues) {
    List<String> all = List.copyOf(queues);
    for (int i = 0; i < all.size(); i += QUEUES_OF_A_LOOK)
      heard(
          setup.tasks.withWork(
              Set.copyOf(all.subList(i, Math.min(all.size(), i + QUEUES_OF_A_LOOK)))));
  }

  /** In bounded pieces, so that thousands of lost workers hold up no other look for long. */
  private void expire() {
    for (int i = 0; i < EXPIRIES_OF_A_LOOK && !closed; i++) {
      Tasks.Expired expired = setup.tasks.expire(EXPIRED_AT_ONCE);
      expired.look().forEach(setup.owners::look);
      offered(expired.again());
      if (expired.look().isEmpty() && expired.again().isEmpty()) return;
    }
  }

  /** What fails is made again with the next look. */
  private void quietly(String what, Runnable look) {
    if (closed) return;
    try {
      look.run();
    } catch (StorageException e) {
      log.warn("{} failed: {}", what, e.getMessage());
    } catch (RuntimeException e) {
      // An exception would end the looks, and lost workers would hold their tasks for ever.
      log.error("{} failed, and is made again", what, e);
    }
  }

  // --- reports

  /**
   * Takes reports of a worker; answer {@code i} is for report {@code i}. When it fails, some of
   * them may have been taken: the same reports again get the same answers.
   */
  public CompletionStage<List<Tasks.Heard>> hear(List<Tasks.Report> reports) {
    // All of them before any is handed in: one that cannot be stored fails the others, too.
    List<Tasks.Report> stored = reports.stream().map(this::stored).toList();
    List<CompletableFuture<Tasks.Heard>> all = new ArrayList<>(stored.size());
    for (Tasks.Report report : stored) all.add(hear(report).toCompletableFuture());
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
        .thenApplyAsync(done -> all.stream().map(CompletableFuture::join).toList(), setup.answers);
  }

  private CompletionStage<Tasks.Heard> hear(Tasks.Report report) {
    return setup
        .calls
        .hear(report)
        .thenApply(
            heard -> {
              if (!(heard instanceof Tasks.Heard.Rejected)) after(report);
              return heard;
            });
  }

  private Tasks.Report stored(Tasks.Report report) {
    return switch (report) {
      case Tasks.Report.Ended(TaskToken token, Outcome.Succeeded(Payload value)) ->
          new Tasks.Report.Ended(token, new Outcome.Succeeded(setup.received.apply(value)));
      case Tasks.Report.Ended ended -> ended;
      case Tasks.Report.Alive(TaskToken token, var extension, var details) ->
          new Tasks.Report.Alive(token, extension, details.map(setup.received));
      case Tasks.Report.Returned returned -> returned;
    };
  }

  private void after(Tasks.Report report) {
    switch (report) {
      case Tasks.Report.Ended(TaskToken token, Outcome outcome) -> {
        tell(new TaskResult(token.id(), token.attempt(), outcome));
        lookSoon(false);
      }
      // Its queue is not known here.
      case Tasks.Report.Returned returned -> lookSoon(true);
      case Tasks.Report.Alive alive -> {}
    }
  }

  private void tell(TaskResult result) {
    try {
      setup.owners.ended(result);
    } catch (RuntimeException e) {
      // The result is stored and the workflow is due: its owner finds it.
      log.error("the owner of {} was not told of its result", result.id(), e);
    }
  }

  /**
   * The end of a call may let one begin that waited for its turn, here or on another node. Polls of
   * this node need not wait for the next look.
   *
   * @param all whether in any queue; otherwise only in those with limits
   */
  private void lookSoon(boolean all) {
    if (all) forAll.set(true);
    else if (polls.waitedForLimited().isEmpty()) return;
    if (closed || !looksSoon.compareAndSet(false, true)) return;
    setup.pauses.after(
        LOOK_SOON,
        () ->
            setup.blocking.execute(
                () -> {
                  looksSoon.set(false);
                  boolean every = forAll.getAndSet(false);
                  quietly(
                      "the look for tasks after others ended",
                      () -> lookFor(every ? polls.waitedFor() : polls.waitedForLimited()));
                }));
  }

  // --- the end

  /** Polls that are not answered. */
  public int waiting() {
    return polls.size();
  }

  /** Answers all polls that wait, and every poll that still comes, with nothing. */
  public void leave() {
    for (Poll poll : polls.close()) answer(poll, List.of());
  }

  /** Leaves, and finishes the reports that were handed in. */
  @Override
  public void close() {
    leave();
    closed = true;
    setup.calls.close();
  }
}
