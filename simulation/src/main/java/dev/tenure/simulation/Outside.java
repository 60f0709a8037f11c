package dev.tenure.simulation;

import dev.tenure.persistence.activity.ActivityKey;
import dev.tenure.persistence.task.TaskId;
import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.simulation.KeyedParts.Books;
import dev.tenure.simulation.KeyedParts.Kind;
import dev.tenure.workflow.ActivityCode;
import dev.tenure.workflow.ActivityContext;
import dev.tenure.workflow.NoEffectException;
import dev.tenure.workflow.Verifier.Verdict;
import dev.tenure.workflow.WorkflowFailure;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.audit.Violation;
import dev.tenure.workflow.operation.OperationId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The other system that keyed and queued activities call: what happened there, call by call (I6).
 */
final class Outside {
  /** One operation of one run: what its idempotency key stands for. */
  record Call(String workflow, String run, String operation) {
    TaskId task() {
      return new TaskId(
          WorkflowId.of(workflow), ActivityKey.operationOf(run, new OperationId(operation)));
    }
  }

  /** Whether a node may still call. */
  interface Reach {
    boolean holds(String node, Kind kind, Call call);
  }

  /** What came of a call there. */
  private static final class Entry {
    int effects;
    int allowed = 1;

    /** The result of its first effect. */
    String result = "";

    /** The node of the owner that got the answer. */
    Optional<String> toldOn = Optional.empty();
  }

  private record Attempt(String workflow, String operation, int attempt) {}

  private record Said(Call call, String details) {}

  private final World world;
  private final long seed;
  private final Map<Call, Entry> entries = new HashMap<>();
  private final Map<Call, Integer> questions = new HashMap<>();
  private final Map<String, Attempt> attemptKeys = new HashMap<>();
  private final Set<Said> said = new HashSet<>();
  private final Set<String> runs = new HashSet<>();

  /** Runs whose id another run has, too: their calls cannot be told apart. */
  private final Set<String> ambiguous = new HashSet<>();

  private boolean movesOnceMore;
  private Predicate<Call> claimed = call -> true;
  private Reach reach = (node, kind, call) -> true;

  Outside(World world, long seed) {
    this.world = world;
    this.seed = seed;
  }

  /**
   * @param claims whether the call is claimed in the store
   */
  void claimedBy(Predicate<Call> claims) {
    claimed = claims;
  }

  /**
   * A keyed call of a node without reach does not arrive: it would be one beside that of the next
   * owner or worker, which no engine can prevent.
   */
  void reachedFrom(Reach nodes) {
    reach = nodes;
  }

  // --- what is called

  /** As it is registered on that node. */
  List<ActivityRegistration<?, ?>> activities(String node, Flaw flaw) {
    List<ActivityRegistration<?, ?>> all = new ArrayList<>();
    for (Kind kind : Kind.values())
      all.add(
          ActivityRegistration.of(
              code(kind, node, flaw),
              ActivityRegistration.RUNNING_MAX,
              ActivityRegistration.WAITING_MAX));
    return all;
  }

  private ActivityCode<String, String> code(Kind kind, String node, Flaw flaw) {
    ActivityCode<String, String> code =
        ActivityCode.of(kind.definition, (context, input) -> run(kind, node, context, input))
            .noEffectOn(WorkflowFailure.class);
    if (kind.mode().isPresent() && flaw != Flaw.RESOURCE_NOT_LOOKED_AT)
      code =
          code.checkedBy(
              (context, input, recorded) -> difference(call(context, input), recorded),
              kind.mode().get());
    if (kind.books == Books.CLOSED) return code;
    return code.verifiedBy(
        (context, input) ->
            flaw == Flaw.NOT_COMPLETED_ASSUMED
                ? Verdict.notCompleted("assumed")
                : verify(kind, call(context, input)));
  }

  private static Call call(ActivityContext context, String input) {
    String run = input.substring(input.indexOf('@') + 1).strip();
    return new Call(context.workflowId().value(), run, context.operationId());
  }

  private String run(Kind kind, String node, ActivityContext context, String input)
      throws IOException {
    Call call = call(context, input);
    world.used(context.idempotencyKey(), call.workflow, call.run, call.operation);
    requireOwn(kind, call, context, input);
    boolean reached = !kind.isKeyed() || reach.holds(node, kind, call);
    if (!reached || context.isCancelled()) throw new NoEffectException("not reached");
    if (kind.isKeyed() && !claimed.test(call)) sees(call + " goes out and is not claimed");
    int roll = roll(call, context.attempt() * 7919L) & 15;
    if (roll < 2) throw new IOException("no line");
    if (roll == 2) throw new NoEffectException("refused");
    if (roll == 3) throw WorkflowFailure.permanent(World.TROUBLE, "for good");
    String result = effect(kind, call);
    if (roll == 4) throw new IOException("the answer got lost");
    // What a worker did is in its task, unless another worker has that.
    if (!kind.isQueued()) entries.get(call).toldOn = Optional.of(node);
    return result;
  }

  /** What the code is told belongs to its call, and the keys of two attempts differ. */
  private void requireOwn(Kind kind, Call call, ActivityContext context, String input) {
    if (!context.declaredKey().equals(kind.declaredKey(input)))
      sees(call + " has the declared key " + context.declaredKey());
    Attempt attempt = new Attempt(call.workflow, call.operation, context.attempt());
    Attempt other = attemptKeys.putIfAbsent(context.attemptKey(), attempt);
    if (other != null && !other.equals(attempt))
      sees(
          "the attempt key %s is that of %s and of %s"
              .formatted(context.attemptKey(), other, attempt));
    context
        .lastDetails(String.class)
        .filter(details -> !said.contains(new Said(call, details)))
        .ifPresent(details -> sees(call + " gets details that it never gave: " + details));
    String details = "attempt %d of %s".formatted(context.attempt(), call);
    said.add(new Said(call, details));
    context.heartbeat(details);
  }

  private String effect(Kind kind, Call call) {
    Entry entry = entries.computeIfAbsent(call, one -> new Entry());
    runs.add(call.run);
    if (entry.effects == 0) entry.result = call.operation + " did " + world.another();
    else if (!kind.hasEffectEachTime()) return entry.result;
    entry.effects++;
    if (kind.isKeyed() && entry.effects > entry.allowed && !isAmbiguous(call.run))
      sees("%s had %d effects".formatted(call, entry.effects));
    return kind.isKeyed() ? entry.result : call.operation + " did " + world.another();
  }

  /** At times it does not answer as it should. */
  private Verdict<String> verify(Kind kind, Call call) throws IOException {
    int question = questions.merge(call, 1, Integer::sum);
    switch (roll(call, question * 104_729L) & 15) {
      case 0 -> throw new IOException("the books are away");
      case 1 -> {
        return null;
      }
      case 2 -> {
        return Verdict.indeterminate("somebody writes in the books");
      }
      default -> {
        if (kind.books == Books.NONE) return Verdict.indeterminate("it keeps no books");
        Optional<String> result = result(call);
        if (result.isEmpty()) return Verdict.notCompleted("no entry");
        return kind.books == Books.COMPLETE
            ? Verdict.completed(result.get(), "an entry")
            : Verdict.resultUnavailable("an entry without its result");
      }
    }
  }

  private Optional<String> difference(Call call, String recorded) {
    if (!isAmbiguous(call.run) && !result(call).orElse(recorded).equals(recorded))
      sees("%s is looked up with the result %s".formatted(call, recorded));
    return isChanged(call) ? Optional.of("somebody has changed it") : Optional.empty();
  }

  private int roll(Call call, long salt) {
    return (int) World.mix(seed ^ call.hashCode() * 31L ^ salt);
  }

  private void sees(String what) {
    world.sees(new Violation("I6", what));
  }

  // --- what people and the checker see

  /** What came of the call there; empty when it had no effect. */
  Optional<String> result(Call call) {
    return Optional.ofNullable(entries.get(call)).map(entry -> entry.result);
  }

  /** Whether somebody changes there what the call made. */
  boolean isChanged(Call call) {
    return (roll(call, 15_485_863L) & 3) < 2;
  }

  /** The node whose executor got the answer of the call, if one did for an owner. */
  Optional<String> toldOn(Call call) {
    return Optional.ofNullable(entries.get(call)).flatMap(entry -> entry.toldOn);
  }

  /** A person has ordered the call once more, although it may have had its effect. */
  void orders(Call call) {
    Entry entry = entries.get(call);
    if (entry != null) entry.allowed = entry.effects + 1;
  }

  /**
   * In the calm, one more shard moves between a call and its commit: the node lives, and has to
   * record what the call did.
   */
  void movesOnceMore() {
    movesOnceMore = true;
  }

  boolean takesLastMove() {
    boolean moves = movesOnceMore;
    movesOnceMore = false;
    return moves;
  }

  /** A run begins; see {@link World#followsRun}. */
  void begins(String run) {
    if (runs.contains(run)) ambiguous.add(run);
  }

  boolean isAmbiguous(String run) {
    return ambiguous.contains(run);
  }
}
