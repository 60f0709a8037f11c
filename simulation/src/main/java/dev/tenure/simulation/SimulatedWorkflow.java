package dev.tenure.simulation;

import dev.tenure.persistence.payload.Payloads;
import dev.tenure.workflow.ActivityDefinition;
import dev.tenure.workflow.ActivityFailedException;
import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.ChildCall;
import dev.tenure.workflow.ChildFailedException;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.TypeRef;
import dev.tenure.workflow.UndeliverableException;
import dev.tenure.workflow.UpdateRejectedException;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowFailure;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** A workflow made up from a seed, of everything that a workflow can do. */
@Workflow(name = "simulated")
public class SimulatedWorkflow {
  /**
   * @param depth of children
   * @param renewals how often it continues as new
   * @param large whether its result is
   * @param poison whether it takes down the nodes that run it
   */
  public record Plan(
      long seed, int parts, int depth, int renewals, boolean large, boolean poison) {}

  /** So long that it is kept apart from the journal. */
  private static final String LARGE = "x".repeat(Payloads.APART_BYTES);

  static final ActivityDefinition<String, String> ACTIVITY =
      ActivityDefinition.of("simulated-activity", String.class, String.class);

  /** What a saga fails with to have it undone. */
  private static final String UNDONE = "undone";

  private static final int DEPTH_MAX = 1;
  private static final RetryPolicy RETRY =
      RetryPolicy.DEFAULT.backoff(Duration.ofMillis(100), 2, Duration.ofSeconds(5)).attempts(4);
  private static final Duration[] SPANS = {
    Duration.ZERO,
    Duration.ofMillis(10),
    Duration.ofSeconds(3),
    Duration.ofHours(2),
    Duration.ofDays(3)
  };

  private final Flaw flaw;
  private final World world;
  private WorkflowContext ctx;
  private final List<String> trace = new ArrayList<>();
  private String said = "";

  SimulatedWorkflow(Flaw flaw, World world) {
    this.flaw = flaw;
    this.world = world;
  }

  /** Whether this is the newer code. */
  boolean isRevised() {
    return false;
  }

  /** The next version, which does more, but not in runs that are past it. */
  @Workflow(name = "simulated", version = 2)
  public static final class Revised extends SimulatedWorkflow {
    Revised(Flaw flaw, World world) {
      super(flaw, world);
    }

    @Override
    boolean isRevised() {
      return true;
    }
  }

  public List<String> run(WorkflowContext context, Plan plan) {
    ctx = context;
    ctx.onQuery("trace", () -> trace);
    ctx.onUpdate(
        "say",
        String.class,
        word -> {
          if (word.equals("bad")) throw new UpdateRejectedException("not that word");
        },
        word -> {
          said = word;
          return step("said " + word);
        });
    SplittableRandom random = new SplittableRandom(plan.seed());
    if (plan.poison()) trace.add(step(World.POISON));
    for (int i = 0; i < plan.parts(); i++) {
      if (isRevised() && ctx.changed("before " + i)) trace.add(step("r" + i));
      part(random.split(), "p" + i, plan.depth());
    }
    if (plan.renewals() > 0)
      return ctx.continueAsNew(
          new Plan(
              plan.seed() + 1,
              plan.parts(),
              plan.depth(),
              plan.renewals() - 1,
              plan.large(),
              false));
    if (plan.large()) trace.add(LARGE);
    return trace;
  }

  private Duration span(SplittableRandom random) {
    return SPANS[random.nextInt(SPANS.length)];
  }

  /** A step whose code is the simulated world's; see {@link SimulatedPace}. */
  private String step(String name) {
    try {
      return ctx.step(name, StepOptions.retry(RETRY), () -> name);
    } catch (WorkflowFailure failed) {
      if (!World.isTrouble(failed)) throw failed;
      return name + " failed";
    }
  }

  private void part(SplittableRandom random, String name, int depth) {
    switch (random.nextInt(depth > DEPTH_MAX ? 11 : 18)) {
      case 0, 1 -> trace.add(step(name));
      case 2 -> trace.add(activity(name));
      case 3 -> ctx.sleep(span(random));
      case 4 -> trace.add(name + ctx.record(name, Integer.class, () -> name.hashCode()));
      case 5 -> ctx.attribute("part", name);
      case 6 -> trace.add(name + ctx.awaitSignal("x", String.class, span(random)));
      case 7 -> trace.add(name + ctx.awaitSignal("y", String.class, Duration.ofMinutes(5)));
      case 8 -> saga(random, name);
      case 9 -> scope(name);
      case 10 -> trace.add(name + ctx.await(span(random), () -> !said.isEmpty()));
      case 11 -> all(random, name, depth);
      case 12 -> any(random, name);
      case 13, 14 -> child(random, name, depth);
      case 15 -> message(random, name);
      case 16 -> large(name);
      default -> trace.add(name + ctx.awaitSignal("x", String.class));
    }
  }

  private String activity(String name) {
    try {
      return ctx.activity(ACTIVITY, name);
    } catch (ActivityFailedException failed) {
      return name + " failed";
    }
  }

  private void large(String name) {
    try {
      String got = ctx.step(name, StepOptions.retry(RETRY), () -> LARGE + name);
      world.requireSame(LARGE + name, got, ctx.info().id() + " " + name);
    } catch (WorkflowFailure failed) {
      if (!World.isTrouble(failed)) throw failed;
      trace.add(name + " failed");
    }
  }

  private void all(SplittableRandom random, String name, int depth) {
    List<Handle<String>> handles = new ArrayList<>();
    int count = 2 + random.nextInt(2);
    for (int i = 0; i < count; i++) {
      SplittableRandom own = random.split();
      String key = "b" + i;
      handles.add(
          ctx.async(
              name,
              key,
              () -> {
                int parts = own.nextInt(3);
                for (int p = 0; p < parts; p++) part(own.split(), "q" + p, depth + DEPTH_MAX + 1);
                return key;
              }));
    }
    trace.addAll(ctx.all(handles));
  }

  private void any(SplittableRandom random, String name) {
    Handle<?> timer = ctx.timer(name, span(random));
    Handle<String> step = ctx.stepAsync(name + "s", StepOptions.retry(RETRY), () -> name + "s");
    trace.add(name + (ctx.any(List.of(timer, step)) == step));
    if (!timer.isDone()) timer.cancel(name + " is not needed");
  }

  private void saga(SplittableRandom random, String name) {
    int count = 1 + random.nextInt(3);
    try {
      ctx.saga(
          saga -> {
            List<Runnable> planted = new ArrayList<>();
            for (int i = 0; i < count; i++) {
              String one = name + "." + i;
              if (flaw == Flaw.COMPENSATED_IN_ORDER || flaw == Flaw.COMPENSATED_TWICE) {
                ctx.step(one, () -> one);
                planted.add(() -> step("undo " + one));
              } else saga.step(one, () -> one, done -> {});
            }
            for (Runnable undo : planted) undo.run();
            if (flaw == Flaw.COMPENSATED_TWICE && count == 1) planted.forEach(Runnable::run);
            throw WorkflowFailure.permanent(UNDONE, name + " is undone");
          });
    } catch (WorkflowFailure failed) {
      if (failed.code().equals(Optional.of(UNDONE))) trace.add(failed.getMessage());
      else if (World.isTrouble(failed)) trace.add(name + " failed");
      else throw failed;
    }
  }

  private void scope(String name) {
    try {
      ctx.scope(
          name,
          scope -> {
            Handle<Void> timer = ctx.timer("long", Duration.ofDays(1));
            step("in");
            scope.cancel(name + " is over");
            timer.get();
            return null;
          });
    } catch (CancelledException cancelled) {
      if (ctx.isCancelRequested()) throw cancelled;
      trace.add(cancelled.getMessage());
    }
  }

  private void child(SplittableRandom random, String name, int depth) {
    Plan plan =
        new Plan(
            random.nextLong(),
            2,
            depth + 1,
            random.nextInt(4) == 0 ? 1 : 0,
            random.nextInt(4) == 0,
            false);
    String id = ctx.info().id() + "." + name;
    Handle<List<String>> child =
        ctx.childAsync(
            ChildCall.to("simulated", new TypeRef<List<String>>() {}).id(id).input(plan));
    try {
      if (random.nextInt(3) == 0) {
        ctx.sleep(span(random));
        ctx.cancelWorkflow(WorkflowId.of(id), "the parent says so");
      }
      List<String> result = child.get();
      if (plan.large()) world.requireSame(LARGE, result.getLast(), id);
      trace.add(name + result.size());
    } catch (ChildFailedException | UndeliverableException failed) {
      trace.add(name + " failed");
    }
  }

  private void message(SplittableRandom random, String name) {
    try {
      ctx.signalWorkflow(WorkflowId.of("w" + random.nextInt(3)), "y", name);
    } catch (UndeliverableException nobody) {
      trace.add(name + " undelivered");
    }
  }
}
