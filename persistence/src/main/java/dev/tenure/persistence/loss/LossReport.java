package dev.tenure.persistence.loss;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A store lacks what it had acknowledged to a node.
 *
 * @param at the store's time when it was noticed
 * @param node the node that was given the answers
 * @param text for people: what shows it, and what is missing
 */
public record LossReport(Instant at, String node, String text) {
  /** What is missing is named one by one, up to so many; the rest is counted. */
  private static final int NAMED_MAX = 200;

  /** Says what is missing of so many answers that the node was given. */
  public static LossReport of(
      Instant at, String node, List<String> evidence, List<String> missing, int answersKnown) {
    List<String> lines = new ArrayList<>();
    lines.add(
        missing.isEmpty()
            ? "the store lacks what it had told " + node
            : "the store lacks %d of the last %d answers that it gave to %s"
                .formatted(missing.size(), answersKnown, node));
    lines.addAll(evidence);
    lines.addAll(missing.subList(0, Math.min(NAMED_MAX, missing.size())));
    if (missing.size() > NAMED_MAX) lines.add("and %d more".formatted(missing.size() - NAMED_MAX));
    return new LossReport(at, node, String.join("\n", lines));
  }
}
