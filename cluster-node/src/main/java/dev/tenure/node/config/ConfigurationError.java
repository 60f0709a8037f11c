package dev.tenure.node.config;

import java.util.List;
import java.util.stream.Collectors;

/** The configuration cannot be used. Everything that is wrong with it is in here, not the first. */
public final class ConfigurationError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final List<String> problems;

  public ConfigurationError(List<String> problems) {
    super(describe(problems));
    this.problems = List.copyOf(problems);
  }

  /** One text per problem; each names the key, what was found and what is allowed. */
  public List<String> problems() {
    return problems;
  }

  private static String describe(List<String> problems) {
    return "the configuration has %s:%n%s"
        .formatted(
            problems.size() == 1 ? "a problem" : problems.size() + " problems",
            problems.stream().map(p -> "  - " + p).collect(Collectors.joining("\n")));
  }
}
