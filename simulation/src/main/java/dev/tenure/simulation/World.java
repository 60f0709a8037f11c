package dev.tenure.simulation;

import dev.tenure.sharding.activity.ActivityRegistration;
import dev.tenure.workflow.ActivityContext;
import dev.tenure.workflow.Failure;
import dev.tenure.workflow.WorkflowFailure;
import dev.tenure.workflow.audit.Violation;
import dev.tenure.workflow.operation.OperationId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The world that steps and activities act on: it has them succeed or fail by the seed, and records
 * each run.
 */
final class World {
  /** Is told of what happens. */
  interface Witness {
    void runs(String workflow, OperationId operation, int attempt);
  }

  static final String TROUBLE = "trouble";

  /** A step that takes its node down whenever it has run. */
  static final String POISON = "poison";

  /** Stands in the name of a step that never fails, and becomes an incident instead. */
  static final String STANDS = "-stands";

  /** Suspected after two, halved with each of some more, tried alone twice. */
  private static final int DEATHS_MAX = 20;

  /** The result of a step, as its code returned it. */
  private record Result(String run, OperationId step, int attempt) {}

  /** A place in the code of one run. */
  private record Place(String workflow, String run, String place) {
    boolean isOf(String ofWorkflow, String ofRun) {
      return workflow.equals(ofWorkflow) && run.equals(ofRun);
    }
  }

  /** A signal that the workflow's code received, by what it says. */
  private record Got(String workflow, String signal, String text) {}

  /** A signal, by what makes it unique. */
  record SignalKey(String workflow, String name, String id) {}

  private final long seed;
  private final boolean inPortions;
  private final Outside outside;
  private final List<Violation> seen = new ArrayList<>();
  private final Map<Result, Object> results = new ConcurrentHashMap<>();
  private final Set<String> mended = ConcurrentHashMap.newKeySet();
  private final Map<String, Integer> deaths = new HashMap<>();
  private final Map<String, Sight> sights = new HashMap<>();

  /** Of which workflows the code has asked for more than the node's next commit holds. */
  private final Set<String> withRest = new HashSet<>();

  private final Map<Place, String> told = new HashMap<>();
  private final Set<Got> got = new HashSet<>();
  private final Keys keys = new Keys();
  private long others;
  private Witness witness = (workflow, operation, attempt) -> {};

  /**
   * @param inPortions whether what code asks for at once may take several commits
   */
  World(long seed, boolean inPortions) {
    this.seed = seed;
    this.inPortions = inPortions;
    this.outside = new Outside(this, seed);
  }

  boolean inPortions() {
    return inPortions;
  }

  Outside outside() {
    return outside;
  }

  void seenBy(Witness one) {
    witness = one;
  }

  /**
   * A step's code begins. It runs on a thread of its own, so a violation found there is kept for
   * later.
   */
  synchronized void runs(String workflow, OperationId operation, int attempt) {
    try {
      witness.runs(workflow, operation, attempt);
    } catch (Violation violation) {
      seen.add(violation);
    }
  }

  /** An operation of that run uses that key. */
  void used(String key, String workflow, String run, String operation) {
    keys.used(key, workflow, run, operation).ifPresent(this::sees);
  }

  synchronized void sees(Violation violation) {
    seen.add(violation);
  }

  /**
   * @param run whose step it is: the next run of the workflow may have a step of the same id
   */
  void returned(String run, OperationId step, int attempt, Object value) {
    if (value != null) results.put(new Result(run, step, attempt), value);
  }

  /** What the step's code returned in that attempt, if it was seen. */
  Optional<Object> result(String run, OperationId step, int attempt) {
    return Optional.ofNullable(results.get(new Result(run, step, attempt)));
  }

  // --- what the code was told

  /** A node begins to run a workflow's code: what it ran of it before is of no interest. */
  synchronized void begins(String node, String workflow, Sight sight) {
    sights.put(node + "|" + workflow, sight);
  }

  /**
   * A commit begins the workflow's next run, and none of that run's code has run yet. A start that
   * the kernel's limit has dropped may begin another run, with the id of its first one, and so may
   * each run that continues that one as new. It is a run of its own: its code may be told
   * otherwise, and its steps may return something else.
   */
  synchronized void followsRun(String workflow, String run) {
    told.keySet().removeIf(place -> place.isOf(workflow, run));
    sights.values().removeIf(sight -> sight.isOf(workflow, run));
    results.keySet().removeIf(result -> result.run().equals(run));
  }

  /**
   * That node is about to commit for the workflow.
   *
   * @param goesOn whether the workflow's code has asked for more than the commit is to hold
   */
  synchronized void decides(String node, String workflow, boolean goesOn) {
    if (goesOn) withRest.add(node + "|" + workflow);
    else withRest.remove(node + "|" + workflow);
  }

  /**
   * A commit of that node stands, and with it what the workflow's code was told until now: it is to
   * be told the same whenever it comes past there again (I3). If the commit leaves a rest of what
   * the code asked for, all that the code was told counts with the commit that holds the last of
   * it: if the owner is lost before, the next owner's code may be told otherwise, because nothing
   * that followed from it may be on record.
   *
   * @param counts false when the code did not come to its end with what it was told
   */
  synchronized void stands(String node, String workflow, boolean counts) {
    Sight sight = sights.get(node + "|" + workflow);
    if (sight == null) return;
    if (!counts) {
      sights.remove(node + "|" + workflow);
      return;
    }
    if (withRest.contains(node + "|" + workflow)) return;
    List<Sight.Seen> seen = sight.takeSeen();
    List<Sight.Got> signals = sight.takeGot();
    for (Sight.Seen one : seen) {
      String before = told.putIfAbsent(new Place(workflow, sight.run(), one.place()), one.value());
      Violation.require(
          before == null || before.equals(one.value()),
          "I3",
          "%s was told %s at %s, and then %s"
              .formatted(workflow, shortened(before), one.place(), shortened(one.value())));
    }
    for (Sight.Got one : signals) got.add(new Got(workflow, one.signal(), one.text()));
  }

  private static String shortened(String value) {
    return value == null || value.length() < 200 ? value : value.substring(0, 200) + " …";
  }

  /** Whether the workflow's code has received a signal of that name which says that. */
  synchronized boolean hasGot(String workflow, String signal, String text) {
    return got.contains(new Got(workflow, signal, text));
  }

  /** Another one each time. */
  synchronized long another() {
    return ++others;
  }

  // --- what steps do

  synchronized void requireSame(String wanted, String got, String what) {
    if (!wanted.equals(got))
      seen.add(new Violation("I6", what + " got something else of " + got.length() + " letters"));
  }

  /** People deploy code that does not take nodes down any more. */
  void mend(String workflow) {
    mended.add(workflow);
  }

  boolean kills(String workflow) {
    return !mended.contains(workflow);
  }

  /** Its code does not run until a person resolves the incident, who may do so too early. */
  void stands(String workflow) {
    deaths.remove(workflow);
  }

  /** A node dies of a workflow, at a time when it dies of nothing else. */
  void died(String workflow) {
    int times = deaths.merge(workflow, 1, Integer::sum);
    Violation.require(times <= DEATHS_MAX, "I20", "node after node dies of " + workflow);
  }

  synchronized Optional<Violation> seen() {
    return seen.stream().findFirst();
  }

  /** Gives the same result for the same attempt on any node. */
  void mayFail(String workflow, String operation, int attempt) {
    if (operation.contains(STANDS) && mended.contains(workflow)) return;
    long roll = mix(seed ^ workflow.hashCode() * 31L ^ operation.hashCode() * 17L ^ attempt);
    int in16 = (int) (roll & 15);
    if (in16 < 3 && attempt < 3) throw WorkflowFailure.retryable(TROUBLE, "attempt " + attempt);
    if (in16 == 3) throw WorkflowFailure.permanent(TROUBLE, "for good");
  }

  /** What a node carries out. */
  List<ActivityRegistration<?, ?>> activities(String node, Flaw flaw) {
    List<ActivityRegistration<?, ?>> all = new ArrayList<>();
    all.add(ActivityRegistration.of(StepParts.ACTIVITY, this::activity));
    all.add(ActivityRegistration.of(StepParts.HASTY_ACTIVITY, this::activity));
    all.addAll(outside.activities(node, flaw));
    return all;
  }

  private String activity(ActivityContext context, String input) {
    String run = input.substring(input.indexOf('@') + 1).strip();
    used(context.idempotencyKey(), context.workflowId().value(), run, context.operationId());
    if (context.isCancelled()) return input + "!";
    runs(context.workflowId().value(), new OperationId(context.operationId()), context.attempt());
    mayFail(context.workflowId().value(), context.operationId(), context.attempt());
    return input + "!";
  }

  static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  static boolean isTrouble(WorkflowFailure failure) {
    return failure.code().equals(Optional.of(TROUBLE));
  }

  static boolean isUndeliverable(Failure failure) {
    return failure.type().equals(Failure.UNDELIVERABLE);
  }
}
