package dev.tenure.sharding.effect;

import dev.tenure.persistence.commit.Fence;
import dev.tenure.persistence.storage.StorageException;
import dev.tenure.persistence.task.TaskOffer;
import dev.tenure.persistence.task.TaskStanding;
import dev.tenure.persistence.task.Tasks;
import dev.tenure.sharding.activity.Activities;
import dev.tenure.sharding.activity.ActivityTask;
import dev.tenure.sharding.commit.ActivityRows;
import dev.tenure.sharding.host.Host;
import dev.tenure.sharding.mailbox.IncomingResults;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.Payload;
import dev.tenure.workflow.kernel.Command;
import dev.tenure.workflow.kernel.Effect;
import dev.tenure.workflow.kernel.WorkflowState;
import dev.tenure.workflow.operation.Operation;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The attempts of one owner that go through a queue. A first attempt is put there by the commit
 * that asks for it. Of any other the owner finds out how it stands: it may wait, be with a worker,
 * be lost, or have come out while no owner listened.
 */
final class QueuedAttempts {
  private static final Logger log = LoggerFactory.getLogger(QueuedAttempts.class);
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final Host host;
  private final Fence tenure;
  private final IncomingResults results;
  private final BooleanSupplier wanted;

  /**
   * @param doubtful whether an attempt before this one may have had its effect
   */
  private record Look(TaskOffer offer, ActivityTask task, boolean doubtful) {}

  /** Attempts of which it is to be found out how they stand. */
  private final Map<OperationId, Look> looks = new ConcurrentHashMap<>(1);

  private final AtomicBoolean isLooking = new AtomicBoolean();

  QueuedAttempts(Host host, Fence tenure, IncomingResults results, BooleanSupplier wanted) {
    this.host = host;
    this.tenure = tenure;
    this.results = results;
    this.wanted = wanted;
  }

  void run(Effect.RunActivity effect, ActivityTask task, WorkflowState state) {
    boolean heldBack = effect.spec().isKeyed() && effect.attempt() > 1;
    boolean given = effect.proof() == Effect.Proof.GIVEN;
    if (!effect.spec().isKeyed() || given && !heldBack)
      host.queues.offered(effect.spec().call().queueing().orElseThrow().queue());
    // What a commit put there just now cannot have come out yet.
    if (!given || heldBack) look(effect, task, state);
  }

  /**
   * Finds out how the attempt stands, and goes on from there. What is asked while an answer is on
   * its way is asked together.
   */
  void look(Effect.RunActivity effect, ActivityTask task, WorkflowState state) {
    boolean doubtful =
        state.operation(task.operation()).filter(Operation::mayHaveHadEffect).isPresent();
    looks.put(
        task.operation(),
        new Look(ActivityRows.offer(effect, state, tenure.shard()), task, doubtful));
    look();
  }

  private void look() {
    if (!looks.isEmpty() && isLooking.compareAndSet(false, true)) blocking(this::lookAtAll);
  }

  boolean isLooking() {
    return isLooking.get() || !looks.isEmpty();
  }

  private void lookAtAll() {
    List<Look> some = looks.values().stream().limit(Tasks.MAX_BATCH).toList();
    List<Supplier<Optional<TaskStanding>>> standings = standings(some);
    // The same object only: what was asked meanwhile may be equal, and this answer is older.
    for (Look one : some)
      looks.computeIfPresent(one.task.operation(), (id, asked) -> asked == one ? null : asked);
    isLooking.set(false);
    for (int i = 0; i < some.size(); i++) answered(some.get(i), standings.get(i));
    look();
  }

  /** One query for all; each alone when one of them cannot be read. */
  private List<Supplier<Optional<TaskStanding>>> standings(List<Look> some) {
    try {
      List<Supplier<Optional<TaskStanding>>> all = new ArrayList<>(some.size());
      for (Optional<TaskStanding> one :
          host.tasks.standing(some.stream().map(look -> look.offer.id()).toList()))
        all.add(() -> one);
      return all;
    } catch (StorageException.Unavailable | StorageException.OutcomeUnknown away) {
      throw away;
    } catch (RuntimeException unreadable) {
      return some.stream()
          .<Supplier<Optional<TaskStanding>>>map(look -> () -> alone(look))
          .toList();
    }
  }

  private Optional<TaskStanding> alone(Look look) {
    return host.tasks.standing(List.of(look.offer.id())).getFirst();
  }

  /** One that fails is looked at again a little later, and holds up no other one. */
  private void answered(Look one, Supplier<Optional<TaskStanding>> standing) {
    try {
      goesOn(one, standing.get());
    } catch (RuntimeException failure) {
      log.error("{} is looked at again, because that failed", one.offer.id(), failure);
      host.timers.after(
          PAUSE,
          () -> {
            if (wanted.getAsBoolean()) again(one);
          });
    }
  }

  /** Looks once more, unless that was asked meanwhile: what was asked then is newer. */
  private void again(Look one) {
    if (looks.putIfAbsent(one.task.operation(), one) == null) look();
  }

  /** Runs what waits for the store, again and again while the store is away. */
  private void blocking(Runnable work) {
    if (!wanted.getAsBoolean()) return;
    host.reading(
            () -> {
              work.run();
              return true;
            })
        .whenComplete(
            (done, failure) -> {
              if (failure == null) return;
              Throwable cause =
                  failure instanceof CompletionException ? failure.getCause() : failure;
              if (!(cause instanceof StorageException))
                log.error("a task is looked at again, because that failed", cause);
              host.timers.after(PAUSE, () -> blocking(work));
            });
  }

  private void goesOn(Look look, Optional<TaskStanding> standing) {
    TaskOffer offer = look.offer;
    ActivityTask task = look.task;
    // The commit that began the attempt brought its task, and the one that ended it took it away.
    if (standing.isEmpty() || standing.get().attempt() != task.attempt()) return;
    switch (standing.get()) {
      case TaskStanding.Waiting waiting -> host.queues.offered(offer.queueing().queue());
      case TaskStanding.Taken taken -> {}
      case TaskStanding.Lost lost -> prove(look, lost);
      case TaskStanding.Done(int attempt, Outcome outcome) -> settle(look, outcome);
    }
  }

  /**
   * What nobody has taken yet, and no attempt before it may have done, needs no proof; only the
   * record is read.
   */
  private static ActivityTask asked(Look look, TaskStanding.Lost lost) {
    return lost.worker().isEmpty() && !look.doubtful ? look.task.given() : look.task;
  }

  /** Goes on when it is proven that the call had no effect, or when that does not matter. */
  private void prove(Look look, TaskStanding.Lost lost) {
    ActivityTask task = asked(look, lost);
    if (task.spec().isKeyed()) host.activities.prove(task, new LostProver(look, task, lost));
    else blocking(() -> absent(look, lost));
  }

  /**
   * When its worker has spoken meanwhile, or was lost once more, the proof is too old. What was
   * heard of that meanwhile was not taken up beside the proof.
   */
  private void absent(Look look, TaskStanding.Lost lost) {
    if (lost.timedOut())
      conclude(look, lost, new Outcome.TimedOut("Its worker had it for too long."));
    else if (host.storage.tasks().offerAgain(look.offer.id(), lost))
      host.queues.offered(look.offer.queueing().queue());
    else again(look);
  }

  /**
   * The worker may have spoken while the owner looked for a proof. What it was told to be recorded
   * holds, so the conclusion is stored first, and only while the task is lost. An owner that is
   * gone before its commit leaves its conclusion to the next one, as a worker leaves an outcome.
   */
  private void conclude(Look look, TaskStanding.Lost lost, Outcome conclusion) {
    ActivityTask task = look.task;
    Optional<TaskStanding> standing =
        host.storage.tasks().endLost(look.offer.id(), lost, conclusion);
    if (standing.isEmpty() || standing.get().attempt() != task.attempt()) return;
    switch (standing.get()) {
      case TaskStanding.Done(int attempt, Outcome outcome)
          when outcome.equals(conclusion) || outcome instanceof Outcome.Succeeded ->
          ended(task, outcome);
      case TaskStanding.Done failed -> again(look);
      // Its worker is back, or has handed it back: it may be called, unless it was done before.
      case TaskStanding.Taken taken when isOpen(conclusion) -> {}
      case TaskStanding.Waiting waiting when isOpen(conclusion) -> {}
      case TaskStanding.Taken taken -> ended(task, conclusion);
      case TaskStanding.Waiting waiting -> ended(task, conclusion);
      // Its worker came back and is lost again: the proof says nothing of what it did meanwhile.
      case TaskStanding.Lost onceMore -> again(look);
    }
  }

  /** Whether the conclusion says of no effect that it took place. */
  private static boolean isOpen(Outcome conclusion) {
    return !(conclusion instanceof Outcome.Failed(Failure failure))
        || !failure.type().equals(Failure.RESULT_UNAVAILABLE);
  }

  /** A worker says how it came out. When that proves nothing, the verifier is asked. */
  private void settle(Look look, Outcome reported) {
    ActivityTask task = look.task;
    if (!task.spec().isKeyed()) {
      ended(task, reported);
      return;
    }
    // That the worker's call had no effect says nothing of an attempt before it.
    Outcome outcome =
        look.doubtful && reported instanceof Outcome.Failed(Failure failure)
            ? new Outcome.Failed(failure.afterDoubt())
            : reported;
    host.activities.settle(task, outcome, new Prover(task));
  }

  private void ended(ActivityTask task, Outcome outcome) {
    results.add(new Command.AttemptEnded(task.operation(), task.attempt(), outcome));
  }

  /** Waits for what a worker's report proves. */
  private class Prover implements Activities.Asker {
    private final ActivityTask task;

    private Prover(ActivityTask task) {
      this.task = task;
    }

    @Override
    public void isTimed() {
      host.watchActivities();
    }

    @Override
    public Payload detailsBefore() {
      return Payload.NONE;
    }

    @Override
    public void said(Payload details) {}

    @Override
    public void ended(Outcome outcome) {
      QueuedAttempts.this.ended(task, outcome);
    }
  }

  /** Waits for the proof of a task that is lost, of which its worker may yet speak. */
  private final class LostProver extends Prover {
    private final Look look;
    private final TaskStanding.Lost lost;

    private LostProver(Look look, ActivityTask asked, TaskStanding.Lost lost) {
      super(asked);
      this.look = look;
      this.lost = lost;
    }

    @Override
    public void absent() {
      blocking(() -> QueuedAttempts.this.absent(look, lost));
    }

    @Override
    public void ended(Outcome outcome) {
      // Its result is on record, and no worker can say more.
      if (outcome instanceof Outcome.Succeeded) super.ended(outcome);
      else blocking(() -> conclude(look, lost, outcome));
    }
  }
}
