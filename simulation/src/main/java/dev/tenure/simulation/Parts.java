package dev.tenure.simulation;

import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.WorkflowFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Does the parts of a program. Each returns what came of it when that follows from the program
 * alone, and nothing when it depends on time or on others.
 */
final class Parts {
  static final String UNSURE = "";

  /** Stands in the name of what runs shielded. */
  static final String SHIELD = "!";

  private final Life life;
  private final StepParts steps;
  private final SignalParts signals;
  private final SagaParts sagas;
  private final FamilyParts families;
  private final KeyedParts keyed;

  Parts(Life life) {
    this.life = life;
    this.steps = new StepParts(life);
    this.signals = new SignalParts(life);
    this.sagas = new SagaParts(life, this);
    this.families = new FamilyParts(life);
    this.keyed = new KeyedParts(life);
  }

  /** Whether what was just done wants the workflow to continue as new. */
  boolean wantsRenewal() {
    return signals.wantsRenewal();
  }

  /**
   * @param place where in the code it is; the last word names its operations
   * @param nesting how many branches are around it
   */
  String run(Part part, String place, int nesting) {
    return switch (part.kind()) {
      case STEP -> life.step(place);
      case VALUE_STEP -> steps.value(part, place);
      case STEPS_AT_ONCE -> steps.atOnce(part, place);
      case THROWING_STEP -> steps.throwing(part, place);
      case HASTY_STEP -> steps.hasty(part, place);
      case ACTIVITY -> steps.activity(part, place);
      case KEYED -> keyed.call(part, place);
      case RECORDED -> steps.recorded(part, place);
      case LARGE -> steps.large(place);
      case SLEEP -> sleep(part);
      case ATTRIBUTE -> attribute(part, place);
      case SIGNAL -> signals.one(part, place);
      case CHANNELS -> signals.channels(part, place, nesting == 0);
      case BURST -> signals.burst(part, place);
      case SAGA -> sagas.saga(part, place, nesting);
      case SCOPE -> scope(part, place, nesting);
      case CONDITION -> condition(part, place);
      case BRANCHES -> branches(part, place, nesting);
      case FIRST -> first(part, place);
      case EACH -> each(part, place);
      case HANDLERS -> {
        life.ctx.awaitHandlers();
        yield "handled";
      }
      case SHIELDED -> shielded(part, place, nesting);
      case CHILD -> families.child(part, place);
      case MESSAGE -> families.message(part, place);
      case CANCEL_OTHER -> families.cancelOther(part, place);
      case FAILURE, RENEWAL -> throw new IllegalStateException(part + " within a part");
    };
  }

  String all(List<Part> parts, String place, String prefix, int nesting) {
    List<String> sure = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++)
      sure.add(run(parts.get(i), place + "/" + prefix + "q" + i, nesting + 1));
    return sure.toString();
  }

  private String sleep(Part part) {
    if (part.is(1)) life.ctx.sleepUntil(life.ctx.now().plus(Life.span(part.choice(0, 5))));
    else life.ctx.sleep(Life.span(part.choice(0, 5)));
    return "slept";
  }

  private String attribute(Part part, String place) {
    switch (part.choice(0, 5)) {
      case 0 -> life.ctx.attribute("part", place);
      case 4 -> life.ctx.attributes(Map.of("part", place, "number", (long) part.choice(1, 64)));
      case 1 -> life.ctx.attribute("number", (long) part.choice(1, 64));
      case 2 -> life.ctx.attribute("flag", part.is(1));
      default -> life.ctx.attribute("part", null);
    }
    return "set";
  }

  private String condition(Part part, String place) {
    boolean held = life.ctx.await(Life.span(part.choice(0, 5)), () -> !life.said.isEmpty());
    life.trace.add(place + life.saw(place, held));
    if (held) life.ctx.await(() -> !life.said.isEmpty());
    return UNSURE;
  }

  /** Branches that are joined by {@code all}. */
  private String branches(Part part, String place, int nesting) {
    List<Handle<String>> handles = new ArrayList<>();
    for (int i = 0; i < part.inner().size(); i++) {
      List<Part> mine = part.branch(i);
      String key = "b" + i;
      handles.add(
          life.ctx.async(Life.name(place), key, () -> all(mine, place + "/" + key, "", nesting)));
    }
    return life.saw(place, life.ctx.all(handles).toString());
  }

  /** So many at a time; at times the last of them fails, and those in work are cancelled. */
  private String each(Part part, String place) {
    int count = part.choice(0, 8);
    boolean fails = part.choice(2, 4) == 3;
    String name = Life.name(place);
    List<Integer> items = IntStream.range(0, count).boxed().toList();
    try {
      return life.saw(
          place,
          life.ctx
              .forEach(
                  items,
                  1 + part.choice(1, 4),
                  item -> name + "i" + item,
                  item -> {
                    if (part.is(3)) life.ctx.sleep(Duration.ofSeconds(item));
                    if (fails && item == count - 1)
                      throw WorkflowFailure.permanent(World.TROUBLE, "the last of " + name);
                    return life.step(place + "/i" + item + "/" + name + "i" + item);
                  })
              .toString());
    } catch (WorkflowFailure failed) {
      return life.failed(place, failed);
    }
  }

  private String first(Part part, String place) {
    String name = Life.name(place);
    Handle<?> timer = life.ctx.timer(name, Life.span(part.choice(0, 5)));
    Handle<String> step = life.ctx.stepAsync(name + "s", Life.PATIENT, () -> name + "s");
    boolean stepFirst = life.ctx.any(List.of(timer, step)) == step;
    life.trace.add(place + life.saw(place, stepFirst));
    if (!timer.isDone()) timer.cancel(name + " is not needed");
    return UNSURE;
  }

  private String scope(Part part, String place, int nesting) {
    String name = Life.name(place);
    String why = name + " is over";
    try {
      return life.ctx.scope(
          name,
          scope -> {
            Handle<Void> timer = life.ctx.timer("long", Duration.ofDays(1));
            Handle<String> branch =
                life.ctx.async("within", () -> all(part.branch(0), place + "/w", "", nesting));
            String in = life.step(place + "/in");
            if (part.is(0)) return in + branch.get();
            if (!scope.isCancelled()) scope.cancel(why);
            timer.get();
            return "not cancelled";
          });
    } catch (CancelledException cancelled) {
      if (life.ctx.isCancelRequested()) throw cancelled;
      return life.saw(place, cancelled.getMessage());
    }
  }

  /**
   * Operations that begin within it run to their end, also when the scope around it is cancelled.
   */
  private String shielded(Part part, String place, int nesting) {
    String name = Life.name(place);
    return life.ctx.shielded(
        () -> {
          String own = life.step(place + "/" + SHIELD + name);
          if (!part.is(0)) return own;
          Handle<String> branch =
              life.ctx.async(SHIELD + name, () -> life.step(place + "/b/" + SHIELD + name + "b"));
          // Left to itself it is to come to its end all the same.
          return part.is(1) ? own + branch.get() : own;
        });
  }
}
