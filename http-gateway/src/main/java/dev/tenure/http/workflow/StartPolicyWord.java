package dev.tenure.http.workflow;

import dev.tenure.workflow.StartPolicy;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How start policies are called in the API. */
final class StartPolicyWord {
  private StartPolicyWord() {}

  static String of(StartPolicy policy) {
    return policy.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The policy of that name. */
  static StartPolicy parse(String word) {
    for (StartPolicy policy : StartPolicy.values()) if (of(policy).equals(word)) return policy;
    throw new IllegalArgumentException("there is no start policy " + word);
  }

  static List<String> of(StartPolicy... policies) {
    return Arrays.stream(policies).map(StartPolicyWord::of).toList();
  }
}
