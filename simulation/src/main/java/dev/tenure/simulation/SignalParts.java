package dev.tenure.simulation;

import dev.tenure.workflow.Handle;
import dev.tenure.workflow.SignalChannel;
import dev.tenure.workflow.SignalDefinition;
import dev.tenure.workflow.TypeRef;
import dev.tenure.workflow.UndeliverableException;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.WorkflowInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Waits for signals, in every form. */
final class SignalParts {
  static final List<String> NAMES = List.of("x", "y", "z");
  private static final TypeRef<String> TEXT = new TypeRef<>() {};
  static final SignalDefinition<String> X = SignalDefinition.of("x", String.class);
  static final SignalDefinition<String> Z = SignalDefinition.of("z", TEXT);
  private static final int BURST_MAX = 30;

  private final Life life;
  private boolean renews;

  SignalParts(Life life) {
    this.life = life;
  }

  boolean wantsRenewal() {
    return renews;
  }

  /** A wait without a limit is for an x, because people send an x to such a workflow. */
  String one(Part part, String place) {
    Duration span = Life.limit(part.choice(1, 4));
    SignalChannel<String> y = life.ctx.signals("y", TEXT);
    switch (part.choice(0, 13)) {
      case 11, 12 -> givesUp(place);
      case 8 -> got(place, "x", life.ctx.awaitSignal(X));
      case 9 -> got(place, "z", life.ctx.awaitSignal(Z, span));
      case 10 -> got(place, "x", life.ctx.signals(X).receive());
      case 0 -> got(place, "x", life.ctx.awaitSignal("x", String.class, span));
      case 1 -> got(place, "y", life.ctx.awaitSignal("y", TEXT, Duration.ofSeconds(3)));
      case 2 -> got(place, "y", y.receive(span));
      case 3 -> got(place, "x", life.ctx.signals("x", String.class).receive());
      case 4 -> got(place, "x", life.ctx.awaitSignal("x", TEXT));
      case 5 -> got(place, "z", life.ctx.awaitSignal("z", String.class, span));
      default -> got(place, "x", life.ctx.awaitSignal("x", String.class));
    }
    return Parts.UNSURE;
  }

  /**
   * Waits until a moment is over, which it may learn by the very signal that it waited for: then
   * that one is given back, and the next wait gets it.
   */
  private void givesUp(String place) {
    String at = place + ".x";
    Life.Wait wait = life.opens(at, "x", life.ctx.signals("x", String.class).receiveAsync());
    Instant until = life.ctx.now().plusMillis(10);
    life.ctx.await(Duration.ofDays(3), () -> !life.ctx.now().isBefore(until));
    wait.handle().cancel("it is too late for this one");
    life.forgets(List.of(wait));
    decidesByLength(place);
    got(place, "x", life.ctx.awaitSignal("x", String.class));
  }

  /**
   * The step has another name at another length: a fork of another length than its source drifts.
   */
  private void decidesByLength(String place) {
    WorkflowInfo info = life.ctx.info();
    String length = info.historyEvents() + " " + info.historyBytes();
    life.trace.add(life.step(place + "/" + Life.name(place) + " at " + length));
  }

  private void got(String place, String signal, Optional<String> received) {
    if (received.isPresent()) got(place, signal, received.get());
    else life.trace.add(place + life.saw(place, "nothing"));
  }

  private void got(String place, String signal, String received) {
    life.sight.got(place, signal, received);
    life.trace.add(place + received);
  }

  /**
   * Waits for several at once and goes on with the first; what becomes of the other waits is the
   * program's: taken, cancelled, left behind by the workflow's end or its next run, left open.
   */
  String channels(Part part, String place, boolean outermost) {
    int count = 2 + part.choice(0, 2);
    List<Life.Wait> waits = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String signal = NAMES.get(i);
      String at = place + "." + signal;
      waits.add(life.opens(at, signal, life.ctx.signals(signal, String.class).receiveAsync()));
    }
    Handle<?> first = life.ctx.any(waits.stream().map(Life.Wait::handle).toList());
    boolean looks = part.is(2);
    for (Life.Wait wait : waits)
      if (looks || wait.handle() == first) life.saw(wait.place() + "?", life.look(wait));
    switch (part.choice(1, 4)) {
      case 0 -> take(waits);
      case 1 -> cancel(waits, looks);
      case 2 -> renews = outermost;
      default -> {}
    }
    // What the code never asks for is given back when it leaves.
    if (part.is(3)) life.forgets(waits);
    return Parts.UNSURE;
  }

  /** The first of them is an x, so that each wait comes to an end. */
  private void take(List<Life.Wait> waits) {
    waits.getFirst().handle().get();
    for (Life.Wait wait : waits) life.look(wait);
    cancel(waits, true);
  }

  /**
   * @param looks whether it asks first if the signal is there; if not, what is there is given back
   */
  private void cancel(List<Life.Wait> waits, boolean looks) {
    for (Life.Wait wait : waits)
      if (!(looks ? life.look(wait) : life.hasTaken(wait)))
        wait.handle().cancel(wait.signal() + " is not wanted any more");
  }

  /** Many at once, to itself. */
  String burst(Part part, String place) {
    int count = 1 + part.choice(0, BURST_MAX);
    String name = Life.name(place);
    try {
      for (int i = 0; i < count; i++)
        life.ctx.signalWorkflow(
            WorkflowId.of(life.id), NAMES.get(i % NAMES.size()), life.sight.mark() + name + i);
    } catch (UndeliverableException over) {
      life.saw(place, "undelivered");
    }
    return Parts.UNSURE;
  }
}
