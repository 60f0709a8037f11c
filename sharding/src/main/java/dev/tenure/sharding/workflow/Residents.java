package dev.tenure.sharding.workflow;

import dev.tenure.sharding.code.BusyTime;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workflows that are in memory, all looked at several times a second: is something due, does
 * the code not come back, has it been resting long enough to go. One look costs a few reads of
 * memory; a timer for each step would cost more than the step.
 */
final class Residents {
  private static final Logger log = LoggerFactory.getLogger(Residents.class);

  /** How often. Timers of workflows in memory are late by no more than that … */
  static final Duration LOOK_EVERY = Duration.ofMillis(25);

  /** … or than that, when there are so many that a look takes milliseconds. */
  static final Duration LOOK_AT_LEAST_EVERY = BusyTime.LOOK_EVERY_MAX;

  /** One that is looked at. */
  interface Resident {
    /**
     * Called by whoever looks: must not block.
     *
     * @param nowMs by the owner's clock
     * @param crowded whether those that rest should go as soon as they can
     * @param carriers whether threads of workflows could run since the last look
     */
    void look(long nowMs, boolean crowded, boolean carriers);

    boolean rests();

    /** Hands it a message; false when it is about to leave. */
    boolean tell(Message message);

    /** When something of it is due, {@link Long#MAX_VALUE} when nothing is. */
    long dueMs();
  }

  private final Map<WorkflowId, Resident> residents = new ConcurrentHashMap<>();
  private final InstantSource clock;
  private final int restingMax;
  private boolean crowded;

  /**
   * @param restingMax how many may rest in memory before those that do go at once
   */
  Residents(InstantSource clock, int restingMax) {
    this.clock = clock;
    this.restingMax = restingMax;
  }

  void add(WorkflowId id, Resident resident) {
    residents.put(id, resident);
  }

  /** Its successor may be there already. */
  void remove(WorkflowId id, Resident resident) {
    residents.remove(id, resident);
  }

  /** False when it is not here, or not for long. */
  boolean tell(WorkflowId id, Message message) {
    Resident resident = residents.get(id);
    return resident != null && resident.tell(message);
  }

  /** Whether it is here and does something. */
  boolean isAtWork(WorkflowId id) {
    Resident resident = residents.get(id);
    return resident != null && !resident.rests();
  }

  /** When something of one of them is due, {@link Long#MAX_VALUE} when nothing is. */
  long nextDueMs() {
    long next = Long.MAX_VALUE;
    for (Resident resident : residents.values()) next = Math.min(next, resident.dueMs());
    return next;
  }

  int size() {
    return residents.size();
  }

  /**
   * Looks at all of them, several times a second.
   *
   * @param carriers whether threads of workflows could run since the last look
   */
  void look(boolean carriers) {
    try {
      long nowMs = clock.millis();
      int resting = 0;
      for (Resident resident : residents.values()) {
        resident.look(nowMs, crowded, carriers);
        if (resident.rests()) resting++;
      }
      crowded = resting > restingMax;
    } catch (RuntimeException e) {
      // An exception would end the looks, and with them every timer of this node.
      log.error("a look at the workflows in memory failed", e);
    }
  }
}
