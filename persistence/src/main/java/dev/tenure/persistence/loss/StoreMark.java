package dev.tenure.persistence.loss;

import java.util.ArrayList;
import java.util.List;

/**
 * How far a store has come. What was acknowledged before the mark was made is in the store's log up
 * to it.
 *
 * @param log where the log stands; all marks of a store that does not tell have the same
 * @param generation of the newest cluster
 * @param epoch the newest epoch of a lease
 */
public record StoreMark(Log log, long generation, long epoch) {
  /**
   * @param system which log it is: a copy that is made byte by byte has the same
   * @param timeline rises when a standby takes over, because its log may end before that of the
   *     former primary
   * @param position the bytes of the log that survive a crash
   */
  public record Log(String system, long timeline, long position) {
    public static final Log HIDDEN = new Log("hidden", 0, 0);
  }

  /** What shows that the store has lost its newest past since this mark. */
  public List<String> evidenceIn(StoreMark later) {
    List<String> evidence = new ArrayList<>();
    // The numbers of another log mean something else.
    if (later.log.system.equals(log.system)) {
      if (later.log.timeline < log.timeline)
        evidence.add(
            "the database is on timeline %d and was on %d: a former primary is back, or a backup"
                .formatted(later.log.timeline, log.timeline));
      if (later.log.position < log.position)
        evidence.add(
            "the log of the database ends %d bytes before the place that it had reached"
                .formatted(log.position - later.log.position));
    }
    if (later.generation < generation)
      evidence.add("the newest cluster is %d and was %d".formatted(later.generation, generation));
    if (later.epoch < epoch)
      evidence.add("the newest epoch of a lease is %d and was %d".formatted(later.epoch, epoch));
    return evidence;
  }

  /** Whether another server than before answers, or the same one with another past. */
  public boolean isElsewhere(StoreMark later) {
    return !later.log.system.equals(log.system) || later.log.timeline != log.timeline;
  }
}
