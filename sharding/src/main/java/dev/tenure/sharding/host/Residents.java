package dev.tenure.sharding.host;

import dev.tenure.sharding.message.IncomingSignal;
import dev.tenure.sharding.message.Message;
import dev.tenure.sharding.program.BusyTime;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workflows that are in memory. They are checked several times a second: whether a workflow is
 * due, whether its code runs for too long, and whether it has rested long enough to leave. One
 * check costs a few reads of memory; a timer for each step would cost more than the step.
 */
public final class Residents {
  private static final Logger log = LoggerFactory.getLogger(Residents.class);

  /** The normal interval between checks; timers fire at most this late. */
  static final Duration LOOK_EVERY = Duration.ofMillis(25);

  /**
   * The longest interval, used when there are so many workflows that a check takes milliseconds.
   */
  static final Duration LOOK_AT_LEAST_EVERY = BusyTime.LOOK_EVERY_MAX;

  /**
   * The longest interval between checks of all workflows, also of those that rest. A workflow rests
   * too long by this at most.
   */
  static final Duration ALL_EVERY_MAX = Duration.ofMillis(250);

  /** It also rests too long by at most this part of its resting time. */
  private static final int REST_PARTS = 40;

  /** A workflow that is due within this time is part of every check. */
  private static final long SOON_MS = 2 * ALL_EVERY_MAX.toMillis();

  /** A workflow that is checked. */
  public abstract static class Resident {
    private volatile boolean asleep;
    private volatile boolean gone;
    private volatile Queue<Resident> woken;

    /** Called by the owner when it is about to do something. */
    protected final void awakes() {
      if (!asleep) return;
      asleep = false;
      woken.add(this);
    }

    /**
     * Called by the check; must not block.
     *
     * @param nowMs by the owner's clock
     * @param crowded whether resting workflows should leave as soon as they can
     * @param carriers whether threads of workflows could run since the last look
     */
    protected abstract void look(long nowMs, boolean crowded, boolean carriers);

    protected abstract boolean rests();

    /** Whether the workflow rests and its code does not run: the owner says when that changes. */
    protected abstract boolean isQuiet();

    /** Hands it a message; false when it is about to leave. */
    protected abstract boolean tell(Message message);

    /** Hands it a signal, or puts that into the inbox; false when it is about to leave. */
    protected boolean signal(IncomingSignal signal) {
      return tell(new Message.Signalled(signal));
    }

    /** When something of it is due, {@link Long#MAX_VALUE} when nothing is. */
    protected abstract long dueMs();
  }

  private final Map<WorkflowId, Resident> residents = new ConcurrentHashMap<>();

  /** The workflows that arrived, or whose owner took something up, since the last check. */
  private final Queue<Resident> woken = new ConcurrentLinkedQueue<>();

  private final InstantSource clock;
  private final LongSupplier nanos;
  private final int restingMax;
  private final long allEveryNanos;

  /** By the last check of all. */
  private volatile int atWork;

  // Used by the thread that checks.
  private final List<Resident> awake = new ArrayList<>();
  private boolean crowded;
  private long lookedMs = Long.MAX_VALUE;
  private long allAtNanos;

  /** When the next of the resting workflows is due. */
  private long asleepDueMs;

  /** The workflows that every check looks at. */
  public Residents(InstantSource clock, int restingMax) {
    this(clock, () -> 0, restingMax, Duration.ZERO);
  }

  /**
   * @param nanos a clock that only measures
   * @param restingMax how many workflows may rest in memory; with more, resting ones leave at once
   * @param restLimit how long a workflow may rest
   */
  public Residents(InstantSource clock, LongSupplier nanos, int restingMax, Duration restLimit) {
    this.clock = clock;
    this.nanos = nanos;
    this.restingMax = restingMax;
    this.allEveryNanos =
        Math.min(ALL_EVERY_MAX.toNanos(), restLimit.dividedBy(REST_PARTS).toNanos());
    this.allAtNanos = nanos.getAsLong();
  }

  public void add(WorkflowId id, Resident resident) {
    resident.woken = woken;
    residents.put(id, resident);
    woken.add(resident);
  }

  /** Another owner of the same workflow may be there already. */
  public void remove(WorkflowId id, Resident resident) {
    resident.gone = true;
    residents.remove(id, resident);
  }

  /** False when the workflow is not here, or about to leave. */
  boolean tell(WorkflowId id, Message message) {
    Resident resident = residents.get(id);
    return resident != null && resident.tell(message);
  }

  /** False when the workflow is not here, or about to leave. */
  boolean signal(WorkflowId id, IncomingSignal signal) {
    Resident resident = residents.get(id);
    return resident != null && resident.signal(signal);
  }

  /** Whether the workflow has an owner here, begun or not. */
  public boolean isHere(WorkflowId id) {
    return residents.containsKey(id);
  }

  /** Whether the workflow is here and does not rest. */
  public boolean isAtWork(WorkflowId id) {
    Resident resident = residents.get(id);
    return resident != null && !resident.rests();
  }

  /** When the next of the workflows is due, if something is. */
  public Optional<Instant> nextDue() {
    long next = Long.MAX_VALUE;
    for (Resident resident : residents.values()) next = Math.min(next, resident.dueMs());
    return next == Long.MAX_VALUE ? Optional.empty() : Optional.of(Instant.ofEpochMilli(next));
  }

  /** How many are in memory and did not rest a moment ago. */
  public int atWork() {
    return Math.max(0, atWork);
  }

  public int size() {
    return residents.size();
  }

  /**
   * Called several times a second.
   *
   * @param carriers whether threads of workflows could run since the last look
   */
  public void look(boolean carriers) {
    try {
      long nowMs = clock.millis();
      long now = nanos.getAsLong();
      // An operator may have set the clock back or forward, which changes what is due.
      boolean all = now - allAtNanos >= 0 || nowMs >= asleepDueMs || nowMs < lookedMs;
      if (all) lookAtAll(nowMs, now, carriers);
      else lookAtAwake(nowMs, carriers);
      lookedMs = nowMs;
    } catch (RuntimeException | Error e) {
      // What is thrown here ends the checks, and with them every timer of this node.
      log.error("a look at the workflows in memory failed", e);
    }
  }

  private void lookAtAll(long nowMs, long now, boolean carriers) {
    allAtNanos = now + allEveryNanos;
    asleepDueMs = Long.MAX_VALUE;
    woken.clear();
    awake.clear();
    int resting = 0;
    for (Resident resident : residents.values()) {
      resident.look(nowMs, crowded, carriers);
      if (resident.rests()) resting++;
      if (!fallsAsleep(resident, nowMs)) awake.add(resident);
    }
    crowded = resting > restingMax;
    atWork = residents.size() - resting;
  }

  private void lookAtAwake(long nowMs, boolean carriers) {
    for (Resident one = woken.poll(); one != null; one = woken.poll()) awake.add(one);
    awake.removeIf(
        resident -> {
          if (resident.gone) return true;
          resident.look(nowMs, crowded, carriers);
          return fallsAsleep(resident, nowMs);
        });
  }

  /** False when the next check must include it, too. */
  private boolean fallsAsleep(Resident resident, long nowMs) {
    if (!isIdle(resident, nowMs)) return false;
    resident.asleep = true;
    // The owner may have taken a message up meanwhile, when this workflow was not marked as resting
    // yet.
    if (!isIdle(resident, nowMs)) {
      resident.asleep = false;
      return false;
    }
    asleepDueMs = Math.min(asleepDueMs, resident.dueMs());
    return true;
  }

  private static boolean isIdle(Resident resident, long nowMs) {
    return resident.isQuiet() && resident.dueMs() - SOON_MS > nowMs;
  }
}
