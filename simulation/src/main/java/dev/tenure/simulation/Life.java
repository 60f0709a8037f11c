package dev.tenure.simulation;

import dev.tenure.workflow.CancelledException;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.StepOptions;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** One run of the code of a simulated workflow: what all its parts share. */
final class Life {
  /** A wait for a signal that is open. */
  record Wait(String place, String signal, Handle<String> handle) {}

  static final RetryPolicy RETRY =
      RetryPolicy.DEFAULT.backoff(Duration.ofMillis(100), 2, Duration.ofSeconds(5)).attempts(4);

  /** Without a time limit: however long a node is away, a step comes out as the seed wills. */
  static final StepOptions PATIENT = StepOptions.retry(RETRY).withTimeouts(Timeouts.NONE);

  private static final Duration[] SPANS = {
    Duration.ZERO,
    Duration.ofMillis(10),
    Duration.ofSeconds(3),
    Duration.ofHours(2),
    Duration.ofDays(3)
  };

  final WorkflowContext ctx;
  final World world;
  final Flaw flaw;
  final Sight sight;
  final Program program;
  final String id;
  final List<String> trace = new ArrayList<>();
  private final List<Wait> waits = new ArrayList<>();
  String said = "";

  Life(WorkflowContext ctx, World world, Flaw flaw, Sight sight, Program program) {
    this.ctx = ctx;
    this.world = world;
    this.flaw = flaw;
    this.sight = sight;
    this.program = program;
    this.id = ctx.info().id().value();
    sight.begins(id, ctx.info().runId());
  }

  static Duration span(int choice) {
    return SPANS[choice % SPANS.length];
  }

  /** As {@link #span}, and never zero. */
  static Duration limit(int choice) {
    return SPANS[1 + choice % (SPANS.length - 1)];
  }

  /** What the context returned there; returned again. */
  <T> T saw(String place, T value) {
    sight.saw(place, value);
    return value;
  }

  /**
   * What the code made itself. While one commit does not hold all that the code asks for, a node
   * may die before it is on record.
   */
  <T> T made(String place, T value) {
    return world.inPortions() ? value : saw(place, value);
  }

  /**
   * A step whose code is the simulated world's; see {@link SimulatedGate}.
   *
   * @param place where in the code; its last word is the step's name
   */
  String step(String place) {
    return step(place, PATIENT);
  }

  String step(String place, StepOptions options) {
    String name = name(place);
    try {
      return saw(place, ctx.step(name, options, () -> name));
    } catch (WorkflowFailure failed) {
      return failed(place, failed);
    }
  }

  /** The trouble that the world makes; anything else is thrown on. */
  String failed(String place, WorkflowFailure failed) {
    if (!World.isTrouble(failed)) throw failed;
    return saw(place, name(place) + " failed");
  }

  static String name(String place) {
    return place.substring(place.lastIndexOf('/') + 1);
  }

  // --- waits for signals

  /** It is open from here on, and looked at whenever the code may leave it. */
  Wait opens(String place, String signal, Handle<String> handle) {
    Wait wait = new Wait(place, signal, handle);
    waits.add(wait);
    return wait;
  }

  /** Whether the signal is there; then it is noted, once. */
  boolean look(Wait wait) {
    if (!wait.handle.isDone()) return false;
    if (waits.remove(wait)) take(wait);
    return true;
  }

  boolean hasTaken(Wait wait) {
    return !waits.contains(wait);
  }

  /** The code will not read these waits. */
  void forgets(List<Wait> unread) {
    waits.removeAll(unread);
  }

  private void take(Wait wait) {
    try {
      sight.got(wait.place, wait.signal, wait.handle.get());
    } catch (CancelledException cancelled) {
      sight.saw(wait.place, "cancelled");
    }
  }

  /** What a query may do with the waits that are open. */
  String inspects(Function<Handle<String>, String> look) {
    List<String> all = new ArrayList<>();
    for (Wait wait : waits) all.add(look.apply(wait.handle));
    return all.toString();
  }

  /** The code goes no further, or into its next run. */
  void leaves() {
    for (Wait wait : List.copyOf(waits)) look(wait);
  }
}
