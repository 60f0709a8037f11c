package dev.tenure.simulation;

import dev.tenure.workflow.ChildCall;
import dev.tenure.workflow.ChildFailedException;
import dev.tenure.workflow.ChildHandle;
import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.StartPolicy;
import dev.tenure.workflow.TypeRef;
import dev.tenure.workflow.UndeliverableException;
import dev.tenure.workflow.WorkflowId;
import java.time.Duration;
import java.util.List;

/** Children, and what workflows tell each other. */
final class FamilyParts {
  private static final TypeRef<List<String>> RESULT = new TypeRef<>() {};

  private final Life life;

  FamilyParts(Life life) {
    this.life = life;
  }

  String child(Part part, String place) {
    Program program = new Program(0, part.branch(0), !part.branch(1).isEmpty(), false);
    String id = life.id + "." + life.program.run() + place.replace('/', '_');
    ChildCall<List<String>> call =
        (part.choice(1, 8) == 7
                ? ChildCall.to(SimulatedWorkflow::run, program)
                : ChildCall.to("simulated", RESULT))
            .id(id)
            .input(program)
            .onParentClose(ParentClosePolicy.values()[part.choice(0, 3)])
            .attribute("part", place);
    // One id for all runs of this workflow, and for all its starts.
    boolean again = part.choice(3, 6) == 5;
    if (again)
      call =
          call.id(life.id + ".again")
              .ifTaken(part.is(1) ? StartPolicy.ALLOW_IF_CLOSED : StartPolicy.TERMINATE_IF_RUNNING);
    if (part.is(1)) call = call.version(1 + part.choice(1, 2));
    if (part.choice(3, 8) == 7) call = call.executionTimeout(Duration.ofHours(1));
    try {
      if (again) return again(life.ctx.childAsync(call), place);
      if (part.choice(2, 8) == 0) return sure(program, life.ctx.child(call), place);
      ChildHandle<List<String>> child = life.ctx.childAsync(call);
      life.saw(place + ".id", child.id());
      return with(child, part, program, place);
    } catch (ChildFailedException | UndeliverableException failed) {
      life.saw(place, "failed");
      return again ? Parts.UNSURE : "child failed";
    }
  }

  private String again(ChildHandle<List<String>> child, String place) {
    life.saw(place + ".again", child.get().size());
    return Parts.UNSURE;
  }

  private String with(ChildHandle<List<String>> child, Part part, Program program, String place) {
    Duration pause = Life.span(part.choice(3, 5));
    switch (part.choice(2, 8)) {
      case 1 -> {
        child.awaitStarted();
        String text = life.sight.mark() + place;
        if (part.is(3)) tell(place, () -> child.signal(SignalParts.X, text));
        else tell(place, () -> child.signal("x", text));
        return sure(program, child.get(), place);
      }
      case 2 -> {
        life.ctx.sleep(pause);
        child.cancel("the parent gives it up");
        return Parts.UNSURE;
      }
      case 3 -> {
        life.ctx.sleep(pause);
        tell(place, () -> life.ctx.cancelWorkflow(child.id(), "the parent says so"));
        return sure(program, child.get(), place);
      }
      case 4, 5 -> {
        // Left running: it may outlive this run, and this workflow.
        if (part.is(3)) child.awaitStarted();
        return Parts.UNSURE;
      }
      default -> {
        return sure(program, child.get(), place);
      }
    }
  }

  private String sure(Program program, List<String> result, String place) {
    if (program.large())
      life.world.requireSame(SimulatedWorkflow.LARGE, result.getLast(), life.id + " " + place);
    List<String> told = program.large() ? result.subList(0, result.size() - 1) : result;
    return life.saw(place, told.toString());
  }

  String message(Part part, String place) {
    WorkflowId target = WorkflowId.of("w" + part.choice(0, 3));
    String signal = part.is(1) ? "y" : "z";
    String text = life.sight.mark() + place;
    if (part.is(2)) tell(place, () -> life.ctx.signalWorkflow(target, SignalParts.Z, text));
    else tell(place, () -> life.ctx.signalWorkflow(target, signal, text));
    return Parts.UNSURE;
  }

  String cancelOther(Part part, String place) {
    // Seldom, or no workflow would live for long.
    if (part.choice(1, 3) != 0) return Parts.UNSURE;
    WorkflowId target = WorkflowId.of("w" + part.choice(0, 3));
    tell(place, () -> life.ctx.cancelWorkflow(target, "another workflow says so"));
    return Parts.UNSURE;
  }

  private void tell(String place, Runnable message) {
    try {
      message.run();
      life.saw(place + ".told", "delivered");
    } catch (UndeliverableException noReceiver) {
      life.saw(place + ".told", "undelivered");
    }
  }
}
