package dev.tenure.node.health;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Whether a node can be given work now: it can when no check objects. */
public final class Readiness {
  /**
   * One reason why a node may not be ready. It answers with a fixed text for people, never with
   * data or the message of an exception: the answer leaves the node.
   */
  public record Check(String name, Supplier<CompletionStage<Optional<String>>> objection) {
    /** A check that needs to wait for nothing. */
    public static Check immediate(String name, Supplier<Optional<String>> objection) {
      return new Check(name, () -> CompletableFuture.completedFuture(objection.get()));
    }
  }

  /** What the checks said, in their order; "ok" where one had no objection. */
  public record Report(boolean ready, Map<String, String> checks) {}

  private static final String OK = "ok";

  private final List<Check> checks;

  public Readiness(List<Check> checks) {
    this.checks = List.copyOf(checks);
  }

  /** Asks every check. */
  public CompletionStage<Report> report() {
    List<CompletableFuture<String>> answers = new ArrayList<>();
    for (Check check : checks) {
      answers.add(check.objection().get().toCompletableFuture().thenApply(o -> o.orElse(OK)));
    }
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .thenApply(done -> reportOf(answers.stream().map(CompletableFuture::join).toList()));
  }

  private Report reportOf(List<String> answers) {
    Map<String, String> byName = new LinkedHashMap<>();
    for (int i = 0; i < answers.size(); i++) byName.put(checks.get(i).name(), answers.get(i));
    return new Report(answers.stream().allMatch(OK::equals), byName);
  }
}
