package dev.tenure.workflow.kernel;

import java.util.ArrayList;
import java.util.List;

/**
 * A workflow comes near to what it may hold. It goes on; its description warns in time.
 *
 * @param limit the name of the limit that warns
 * @param from where the warning begins
 */
public record Warning(String limit, long value, long from, String advice) {

  static List<Warning> of(WorkflowState state) {
    // Asked after every commit, and nearly always of a workflow that is far from all of them.
    if (state.events <= Limits.HISTORY_EVENTS_WARNING
        && state.open.size() <= Limits.OPEN_OPERATIONS_WARNING
        && state.largestBytes <= Limits.PAYLOAD_BYTES_WARNING) return List.of();
    List<Warning> warnings = new ArrayList<>(0);
    above(
        warnings,
        "HISTORY_EVENTS_WARNING",
        state.events,
        Limits.HISTORY_EVENTS_WARNING,
        "Its recovery reads them all: let it continue as new.");
    above(
        warnings,
        "OPEN_OPERATIONS_WARNING",
        state.open.size(),
        Limits.OPEN_OPERATIONS_WARNING,
        "No more than %d can be open: start fewer at once.".formatted(Limits.OPEN_OPERATIONS_MAX));
    above(
        warnings,
        "PAYLOAD_BYTES_WARNING",
        state.largestBytes,
        Limits.PAYLOAD_BYTES_WARNING,
        "No more than %d can be kept: pass a reference.".formatted(Limits.KEPT_BYTES_MAX));
    return List.copyOf(warnings);
  }

  private static void above(List<Warning> all, String limit, long value, long from, String advice) {
    if (value > from) all.add(new Warning(limit, value, from, advice));
  }

  public String message() {
    return "%s: %d, more than %d. %s".formatted(limit, value, from, advice);
  }
}
