package dev.tenure.simulation;

import dev.tenure.persistence.payload.Payloads;
import dev.tenure.workflow.Handle;
import dev.tenure.workflow.QueryDefinition;
import dev.tenure.workflow.UpdateDefinition;
import dev.tenure.workflow.UpdateRejectedException;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A workflow that does what its input says, of everything that a workflow can do. */
@Workflow(name = "simulated")
public class SimulatedWorkflow {
  /** So long that it is kept apart from the journal. */
  static final String LARGE = "x".repeat(Payloads.APART_BYTES);

  /** The code of a failure that the program wants. */
  static final String PLANNED = "planned";

  private static final QueryDefinition<Void, String> SAID =
      QueryDefinition.of("said", String.class);
  private static final UpdateDefinition<String, String> SLOWLY =
      UpdateDefinition.of("slowly", String.class, String.class);

  private final Flaw flaw;
  private final World world;
  private final Sight sight;

  SimulatedWorkflow(Flaw flaw, World world, String node) {
    this.flaw = flaw;
    this.world = world;
    this.sight = new Sight(world, node);
  }

  /** Whether this is the newer code. */
  boolean isRevised() {
    return false;
  }

  /** The next version, which does more, but not in runs that are past it. */
  @Workflow(name = "simulated", version = 2)
  public static final class Revised extends SimulatedWorkflow {
    Revised(Flaw flaw, World world, String node) {
      super(flaw, world, node);
    }

    @Override
    boolean isRevised() {
      return true;
    }
  }

  /** Returns what does not depend on time or on others. */
  public List<String> run(WorkflowContext ctx, Program program) {
    Life life = new Life(ctx, world, flaw, sight, program);
    listen(life);
    List<String> sure = new ArrayList<>();
    Parts parts = new Parts(life);
    try {
      if (program.poison()) sure.add(life.step(World.POISON));
      for (int i = 0; i < program.parts().size(); i++) {
        if (isRevised() && life.saw("r" + i + "?", ctx.changed("before " + i)))
          life.trace.add(life.step("r" + i));
        Part part = program.parts().get(i);
        if (part.kind() == Part.Kind.RENEWAL) return renew(life, i);
        if (part.kind() == Part.Kind.FAILURE)
          throw WorkflowFailure.permanent(PLANNED, "the program says so");
        sure.add(parts.run(part, "p" + i, 0));
        if (parts.wantsRenewal()) return renew(life, i);
      }
    } finally {
      life.leaves();
    }
    if (program.large()) sure.add(LARGE);
    return sure;
  }

  private static List<String> renew(Life life, int part) {
    life.leaves();
    Program rest = life.program.after(part);
    if (rest.run() % 2 == 0) return life.ctx.continueAsNew(SimulatedWorkflow::run, rest);
    return life.ctx.continueAsNew(rest);
  }

  private static String cancel(Handle<String> handle) {
    handle.cancel("a query says so");
    return "cancelled";
  }

  private static String answer(Life life, String word) {
    try {
      return life.ctx.step("said " + word, Life.PATIENT, () -> word);
    } catch (WorkflowFailure failed) {
      if (!World.isTrouble(failed)) throw failed;
      return "failed";
    }
  }

  private static void listen(Life life) {
    life.ctx.onQuery("trace", () -> life.trace);
    life.ctx.onQuery("echo", String.class, word -> word + life.trace.size());
    life.ctx.onQuery(SAID, () -> life.said);
    // Two that do not know that a query only reads.
    life.ctx.onQuery("nosy", () -> life.inspects(Handle::get));
    life.ctx.onQuery("meddling", () -> life.inspects(handle -> cancel(handle)));
    life.ctx.onUpdate(
        "say",
        String.class,
        word -> {
          if (word.equals("bad")) throw new UpdateRejectedException("not that word");
        },
        word -> {
          life.said = word;
          return answer(life, word);
        });
    life.ctx.onUpdate(
        SLOWLY,
        word -> {
          life.ctx.sleep(Duration.ofSeconds(2));
          return word;
        });
  }
}
