package dev.tenure.sharding.retention;

import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * For how long closed workflows are kept. The rule that says the most about a workflow counts: its
 * type and status, then its type, then its status, then the rule for all. A workflow that no rule
 * is about is kept for ever.
 */
public record WorkflowRetention(List<Rule> rules) {
  /** Nothing is removed. */
  public static final WorkflowRetention FOR_EVER = new WorkflowRetention(List.of());

  public static final Duration KEEP_MIN = Duration.ofMinutes(1);
  public static final Duration KEEP_MAX = Duration.ofDays(36_500);

  /**
   * @param type the name of a workflow type; empty for every type
   * @param status a final status; empty for every one
   * @param keep for how long after its close
   */
  public record Rule(Optional<String> type, Optional<Status> status, Duration keep) {
    public Rule {
      if (keep.compareTo(KEEP_MIN) < 0 || keep.compareTo(KEEP_MAX) > 0)
        throw new IllegalArgumentException("a closed workflow cannot be kept for " + keep);
      if (status.filter(one -> !one.isFinal()).isPresent())
        throw new IllegalArgumentException(
            "a workflow that is " + status.get() + " is not closed, and is always kept");
    }

    private boolean isAbout(String type, Status status) {
      return this.type.map(type::equals).orElse(true)
          && this.status.map(status::equals).orElse(true);
    }

    private int says() {
      return (type.isPresent() ? 2 : 0) + (status.isPresent() ? 1 : 0);
    }
  }

  public WorkflowRetention {
    rules = List.copyOf(rules);
    Set<List<Object>> subjects =
        rules.stream()
            .map(rule -> List.<Object>of(rule.type, rule.status))
            .collect(Collectors.toSet());
    if (subjects.size() < rules.size())
      throw new IllegalArgumentException("two rules are about the same closed workflows");
  }

  /** Empty when it is kept for ever. */
  Optional<Duration> keep(String type, Status status) {
    Rule best = null;
    for (Rule rule : rules)
      if (rule.isAbout(type, status) && (best == null || rule.says() > best.says())) best = rule;
    return Optional.ofNullable(best).map(Rule::keep);
  }

  /** Each time that some rule names, the shortest first. */
  Set<Duration> times() {
    return rules.stream().map(Rule::keep).collect(Collectors.toCollection(TreeSet::new));
  }
}
