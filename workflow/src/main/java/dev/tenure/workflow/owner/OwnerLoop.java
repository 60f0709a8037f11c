package dev.tenure.workflow.owner;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * The life of one owned workflow: {@link TransitionTable} says what it does, this class does it.
 * One thread at a time calls it; each call is one input, and ends when nothing is left to do until
 * the next input.
 *
 * @param <M> the type of the owner's messages
 * @param <E> what the journal stores of one commit
 * @param <S> the type of snapshots
 */
public final class OwnerLoop<M, E, S> {
  private final OwnerPort<M, E, S> port;
  private final Mailbox<M> mailbox;
  private final FailureCount failures;
  private final BiConsumer<OwnerState, OwnerInput> witness;
  private OwnerState state = OwnerState.RECOVERING;

  /**
   * Decides for the workflow; null in states in which {@link OwnerState} says that it was given up.
   */
  private Decider<M, E, S> decider;

  private StandIn<M> standIn;

  /** The commit that is under way. */
  private Next.Commit<E> committing;

  /**
   * Why the history that is being read cannot be used; the owner still waits for the rest of it.
   */
  private RuntimeException unfit;

  /** The number of the last request to the port: answers with another number came too late. */
  private long number;

  /**
   * @param pauseMax between two tries to begin anew
   */
  public OwnerLoop(OwnerPort<M, E, S> port, Mailbox<M> mailbox, Duration pauseMax) {
    this(port, mailbox, pauseMax, (state, input) -> {});
  }

  /**
   * @param witness told of each input, and of the state that it finds
   */
  OwnerLoop(
      OwnerPort<M, E, S> port,
      Mailbox<M> mailbox,
      Duration pauseMax,
      BiConsumer<OwnerState, OwnerInput> witness) {
    this.witness = witness;
    this.port = port;
    this.mailbox = mailbox;
    this.failures = new FailureCount(pauseMax);
  }

  public OwnerState state() {
    return state;
  }

  /** Whether an answer with this number is still awaited. */
  public boolean awaits(long asked) {
    return number == asked;
  }

  // --- inputs

  /** Takes the workflow up, for the first time. */
  public void begin() {
    recover();
    takeUpWhatWaits();
  }

  /** A message has arrived. */
  public void on(M message) {
    boolean handsOn = state == OwnerState.STOPPED || state == OwnerState.LEAVING;
    if (handsOn || mailbox.admits(message)) {
      feed(OwnerInput.MESSAGE, Given.ofMessage(message));
      takeUpWhatWaits();
    }
  }

  /** The next commit of the history. */
  public void entryRead(long asked, E entry) {
    if (awaits(asked)) feed(OwnerInput.COMMIT_READ, Given.ofEntry(entry));
  }

  /** A snapshot was read, which stands for the commits before its own; the port then reads on. */
  public void snapshotRead(long asked, S snapshot) {
    if (awaits(asked)) feed(OwnerInput.SNAPSHOT_READ, Given.ofSnapshot(snapshot));
  }

  /** There is no more of the history. */
  public void historyRead(long asked) {
    if (!awaits(asked)) return;
    RuntimeException why = unfit;
    if (why == null) feed(OwnerInput.HISTORY_READ, Given.nothing());
    else if (port.damage(why).isPresent()) historyFailed(asked, why);
    else fail(why);
    takeUpWhatWaits();
  }

  /** The history could not be read, or not to its end. */
  public void historyFailed(long asked, Throwable failure) {
    if (!awaits(asked)) return;
    Optional<String> damage = port.damage(failure);
    if (damage.isEmpty() && !port.mayPass(failure)) {
      // This should not happen. It is counted as a failure, so that the owner does not read again
      // // without end.
      failures.failed(failure);
      port.failed(new IllegalStateException("The history cannot be read.", failure));
    }
    feed(
        damage.isPresent() ? OwnerInput.HISTORY_DAMAGED : OwnerInput.HISTORY_UNREACHABLE,
        Given.why(damage.orElseGet(() -> "The history cannot be read now: " + failure)));
    takeUpWhatWaits();
  }

  public void commitStands(long asked) {
    if (!awaits(asked)) return;
    feed(OwnerInput.COMMIT_STANDS, Given.nothing());
    takeUpWhatWaits();
  }

  /**
   * The commit is not stored: the tenure is lost, another commit was there before, or the store
   * takes no more for now. None of these is a failure of the owner.
   */
  public void commitRefused(long asked, String why) {
    if (!awaits(asked)) return;
    feed(OwnerInput.COMMIT_REFUSED, Given.why("The commit was refused: " + why));
  }

  /** The commit cannot be stored by any owner: that is a failure of this one. */
  public void commitInvalid(long asked, RuntimeException why) {
    if (!awaits(asked)) return;
    failures.failed(why);
    port.failed(why);
    guarded(() -> decider.cannotCommit(why)).ifPresent(port::failed);
    commitRefused(asked, why.toString());
  }

  public void commitUncertain(long asked) {
    if (!awaits(asked)) return;
    feed(OwnerInput.COMMIT_UNCERTAIN, Given.why("Whether the commit is stored is not known yet."));
  }

  /** The journal has not answered the last request for too long. */
  public void journalSilent(long asked) {
    if (!awaits(asked)) return;
    feed(OwnerInput.JOURNAL_SILENT, Given.why("The journal does not answer."));
  }

  public void pauseOver(long asked) {
    if (!awaits(asked)) return;
    feed(OwnerInput.PAUSE_OVER, Given.why("The pause is over."));
    takeUpWhatWaits();
  }

  /** A person says that the history can be read again. */
  public void restored(long asked) {
    if (!awaits(asked)) return;
    failures.forget();
    feed(OwnerInput.RESTORED, Given.why("The history is read again."));
    takeUpWhatWaits();
  }

  /** The stand-in has nothing left to do. */
  public void unneeded(long asked) {
    if (awaits(asked)) feed(OwnerInput.WANTS_TO_LEAVE, Given.nothing());
  }

  /** The shard moves, or the owner was allowed to leave. A commit that is under way is awaited. */
  public void stop() {
    feed(OwnerInput.STOP, Given.why("The owner has stopped."));
  }

  /** The actor of the owner has ended. */
  public void killed() {
    feed(OwnerInput.KILLED, Given.why("The owner has stopped."));
  }

  // --- the machine

  private void feed(OwnerInput input, Given<M, E, S> given) {
    TransitionTable.Transition transition = TransitionTable.of(state, input);
    if (transition.action() == OwnerAction.IMPOSSIBLE)
      throw new IllegalStateException(input + " in " + state + ": " + transition.why());
    witness.accept(state, input);
    state = transition.to();
    act(transition.action(), given);
  }

  private void act(OwnerAction action, Given<M, E, S> given) {
    switch (action) {
      case IGNORE -> {}
      case KEEP -> {
        mailbox.keep(given.message());
        // A commit takes a short time, so in other states the messages wait.
        if (state == OwnerState.RECOVERING || state == OwnerState.PAUSING) mailbox.sendElsewhere();
      }
      case TAKE_UP -> follow(() -> decider.on(given.message()));
      case STAND_IN -> standIn(given.message());
      case HAND_ON -> mailbox.giveBack(given.message(), "The owner has stopped.");
      case FOLD -> fold(() -> decider.recover(given.entry()));
      case RESTORE -> fold(() -> decider.restore(given.snapshot()));
      case BEGIN -> follow(decider::begin);
      case AWAIT_START -> {}
      case WRITE -> write(given.commit());
      case PERFORM -> performCommitted();
      case PERFORM_LAST -> {
        if (attempt(committing.perform()) instanceof Next.Failed(RuntimeException why)) fail(why);
        end("The owner has stopped.");
      }
      case CARRY_OVER ->
          follow(
              () -> {
                decider = decider.carryOver();
                return decider.begin();
              });
      case RECOVER -> {
        giveUp(given.why());
        mailbox.sendElsewhere();
        recover();
      }
      case PAUSE -> pause(given.why());
      case FAIL -> pause(given.why());
      case NOTE_FAILURE -> {}
      case STAND_FOR -> {
        giveUp(given.why());
        standIn = port.standIn(given.why(), ++number);
      }
      case ASK_TO_LEAVE -> {
        mailbox.leaves();
        port.leave();
      }
      case LET_GO -> {
        number++;
        mailbox.leaves();
        giveUp(given.why());
        mailbox.giveBack(given.why());
        port.letGo();
      }
      case AWAIT_COMMIT -> mailbox.leaves();
      case END -> end(given.why());
      case IMPOSSIBLE -> throw new IllegalStateException("An impossible input was not refused.");
    }
  }

  private Next<E> attempt(Supplier<Next<E>> work) {
    try {
      return work.get();
    } catch (RuntimeException failure) {
      return port.mayPass(failure)
          ? new Next.Pause<>("Something cannot be read now: " + failure)
          : new Next.Failed<>(failure);
    } catch (LinkageError broken) {
      return new Next.Failed<>(new IllegalStateException(broken));
    }
  }

  /**
   * Returns what went wrong. A class that is missing is a failure like any other: Pekko would end
   * the process for it.
   */
  private static Optional<RuntimeException> guarded(Runnable work) {
    try {
      work.run();
      return Optional.empty();
    } catch (RuntimeException failure) {
      return Optional.of(failure);
    } catch (LinkageError broken) {
      return Optional.of(new IllegalStateException(broken));
    }
  }

  private void follow(Supplier<Next<E>> work) {
    switch (attempt(work)) {
      case Next.Nothing<E> nothing -> {}
      case Next.Commit<E> commit -> feed(OwnerInput.WANTS_COMMIT, Given.ofCommit(commit));
      case Next.CarryOver<E> carryOver -> feed(OwnerInput.RUN_FOLLOWS, Given.nothing());
      case Next.Restart(String why) ->
          feed(
              failures.mayRestart() ? OwnerInput.WANTS_RESTART : OwnerInput.WANTS_PAUSE,
              Given.why(why));
      case Next.Pause(String why) -> feed(OwnerInput.WANTS_PAUSE, Given.why(why));
      case Next.Leave<E> leave -> feed(OwnerInput.WANTS_TO_LEAVE, Given.nothing());
      case Next.Failed(RuntimeException why) -> fail(why);
    }
  }

  private void fail(RuntimeException why) {
    port.failed(why);
    failures.failed(why);
    feed(OwnerInput.FAILED, Given.why("The owner failed: " + why));
  }

  // --- actions

  private void recover() {
    unfit = null;
    Optional<OwnerPort.TakenUp<M, E, S>> taken;
    try {
      taken = port.takeUp(failures.incident());
    } catch (RuntimeException failure) {
      fail(failure);
      return;
    } catch (LinkageError broken) {
      fail(new IllegalStateException(broken));
      return;
    }
    if (taken.isEmpty()) {
      feed(OwnerInput.NO_TENURE, Given.why("This node does not own the workflow any more."));
      return;
    }
    decider = taken.get().decider();
    if (failures.isBeyondHelp())
      feed(OwnerInput.BEYOND_HELP, Given.why(failures.incident().orElseThrow()));
    else if (taken.get().fresh()) feed(OwnerInput.FRESH, Given.nothing());
    else port.readHistory(++number);
  }

  private void fold(Runnable history) {
    if (unfit == null) unfit = guarded(history).orElse(null);
  }

  private void write(Next.Commit<E> commit) {
    committing = commit;
    port.write(commit.entry(), ++number);
  }

  private void performCommitted() {
    Next.Commit<E> commit = committing;
    committing = null;
    number++;
    failures.stands(commit.progress());
    follow(
        () -> {
          Next<E> next = commit.perform().get();
          return next instanceof Next.Nothing ? decider.goOn() : next;
        });
  }

  private void pause(String why) {
    giveUp(why);
    mailbox.sendElsewhere();
    port.pause(failures.nextPause(), ++number);
  }

  private void standIn(M message) {
    guarded(() -> standIn.on(message)).ifPresent(this::fail);
  }

  private void giveUp(String why) {
    Decider<M, E, S> given = decider;
    decider = null;
    standIn = null;
    committing = null;
    // The decider is given up even if this throws, because the rest of the transition has to
    // follow.
    if (given != null) guarded(() -> given.end(why)).ifPresent(port::failed);
  }

  private void end(String why) {
    number++;
    mailbox.leaves();
    giveUp(why);
    mailbox.giveBack(why);
    port.ended();
  }

  /** Takes up the kept messages, as soon and as long as the state allows. */
  private void takeUpWhatWaits() {
    while (state == OwnerState.READY || state == OwnerState.UNREADABLE) {
      Optional<M> message = state == OwnerState.READY ? mailbox.next() : mailbox.nextUndecided();
      if (message.isEmpty()) return;
      feed(OwnerInput.MESSAGE, Given.ofMessage(message.get()));
    }
  }
}
