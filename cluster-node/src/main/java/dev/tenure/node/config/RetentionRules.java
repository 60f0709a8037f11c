package dev.tenure.node.config;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import dev.tenure.persistence.visibility.StatusCode;
import dev.tenure.sharding.retention.WorkflowRetention;
import dev.tenure.sharding.retention.WorkflowRetention.Rule;
import dev.tenure.workflow.kernel.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Rules as one text, so that an environment variable can hold them: {@code *=365d, order=90d,
 * order/failed=2y}. Each is {@code type/status=time}; {@code *} stands for every type.
 */
final class RetentionRules {
  static final String ALLOWED =
      "a list like '*=365d, order=90d, order/failed=730d, */completed=30d': type/status=time, with"
          + " a status of "
          + Arrays.stream(Status.values())
              .filter(Status::isFinal)
              .map(StatusCode::of)
              .collect(Collectors.joining(" or "))
          + ", and a time from 1m to 36500d";

  private static final String EVERY = "*";

  private RetentionRules() {}

  /** Throws IllegalArgumentException when the text is anything else. */
  static WorkflowRetention parse(String text) {
    List<Rule> rules = new ArrayList<>();
    for (String rule : text.split(",", -1)) rules.add(rule(rule.strip()));
    return new WorkflowRetention(rules);
  }

  private static Rule rule(String text) {
    int equals = text.lastIndexOf('=');
    if (equals < 1) throw new IllegalArgumentException("'" + text + "' has no time");
    String about = text.substring(0, equals).strip();
    int slash = about.lastIndexOf('/');
    String type = slash < 0 ? about : about.substring(0, slash).strip();
    if (type.isEmpty()) throw new IllegalArgumentException("'" + text + "' has no type");
    return new Rule(
        type.equals(EVERY) ? Optional.empty() : Optional.of(type),
        slash < 0 ? Optional.empty() : Optional.of(status(about.substring(slash + 1).strip())),
        time(text.substring(equals + 1).strip()));
  }

  private static Status status(String code) {
    for (Status status : Status.values()) if (StatusCode.of(status).equals(code)) return status;
    throw new IllegalArgumentException("'" + code + "' is no status");
  }

  private static Duration time(String text) {
    // A bare number would silently mean milliseconds.
    if (text.matches("[0-9.]*")) throw new IllegalArgumentException("'" + text + "' has no unit");
    try {
      return ConfigFactory.parseMap(Map.of("time", text)).getDuration("time");
    } catch (ConfigException e) {
      throw new IllegalArgumentException("'" + text + "' is no time", e);
    }
  }
}
