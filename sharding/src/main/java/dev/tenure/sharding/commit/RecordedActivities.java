package dev.tenure.sharding.commit;

import dev.tenure.workflow.Payload;
import dev.tenure.workflow.kernel.Event;
import dev.tenure.workflow.kernel.Incident;
import dev.tenure.workflow.operation.OperationId;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.Outcome;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What the history of a run says that certain activities did: those whose effects are to be looked
 * up again in the outside world.
 */
public final class RecordedActivities {
  /** Of so many results, the newest, is looked up whether the outside world agrees. */
  public static final int CHECKED_MAX = 1_000;

  /** A call that succeeded, as it is recorded. */
  public record Done(OperationId operation, OperationSpec.Activity spec, Payload result) {}

  private final Predicate<String> isChecked;
  private final Map<OperationId, OperationSpec.Activity> open = new HashMap<>(0);
  private final Map<OperationId, Done> done = new LinkedHashMap<>(0);
  private final Set<OperationId> confirmed = new HashSet<>(0);

  /** What differs of what was confirmed by nobody so far. */
  private final Set<OperationId> differing = new HashSet<>(0);

  /**
   * @param isChecked whether an activity of that name is
   */
  RecordedActivities(Predicate<String> isChecked) {
    this.isChecked = isChecked;
  }

  void add(Event event) {
    if (event instanceof Event.BeginsRun) {
      open.clear();
      done.clear();
      confirmed.clear();
      differing.clear();
    } else if (event instanceof Event.Scheduled e
        && e.spec() instanceof OperationSpec.Activity spec
        && isChecked.test(spec.activity())) open.put(e.operation(), spec);
    else if (event instanceof Event.Completed e) {
      OperationSpec.Activity spec = open.remove(e.operation());
      if (spec != null && e.outcome() instanceof Outcome.Succeeded(Payload result))
        succeeded(new Done(e.operation(), spec, result));
    } else if (event instanceof Event.IncidentRaised e) {
      // Who resolves another incident has confirmed nothing.
      if (e.incident() instanceof Incident.ResourceDiffers one) differing.add(one.operation());
      else differing.clear();
    } else if (event instanceof Event.IncidentResolved) {
      confirmed.addAll(differing);
      differing.clear();
    }
  }

  private void succeeded(Done one) {
    if (done.size() >= CHECKED_MAX) done.remove(done.keySet().iterator().next());
    done.put(one.operation(), one);
  }

  /** Those that no person has confirmed, in the order in which they came out. */
  public List<Done> unconfirmed() {
    return done.values().stream().filter(one -> !confirmed.contains(one.operation())).toList();
  }
}
