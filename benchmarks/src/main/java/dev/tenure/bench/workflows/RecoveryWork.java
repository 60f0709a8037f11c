package dev.tenure.bench.workflows;

import dev.tenure.workflow.Payload;
import dev.tenure.workflow.Workflow;
import dev.tenure.workflow.WorkflowContext;
import dev.tenure.workflow.WorkflowRegistration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** What is at work when the node is killed. */
final class RecoveryWork {
  static final String TYPE = "recovery";
  private static final String COUNTED = "recovery-";
  private static final int STARTING = 512;

  private RecoveryWork() {}

  /** Has two steps behind it and is in its third. */
  @Workflow(name = TYPE)
  public static final class Working {
    private final Consumer<String> third;

    Working(Consumer<String> third) {
      this.third = third;
    }

    public int run(WorkflowContext ctx) {
      String id = ctx.info().id().value();
      int one = ctx.step("one", () -> 1);
      int two = ctx.step("two", () -> 2);
      ctx.step("three", () -> third.accept(id));
      return one + two;
    }
  }

  static WorkflowRegistration<Working> registration(Consumer<String> third) {
    return WorkflowRegistration.of(Working.class, () -> new Working(third));
  }

  /** Says of each that counts when it is in its third step. */
  static WorkflowRegistration<Working> moving(RecoveryBench.Moves moves) {
    return registration(
        id -> {
          if (counts(id)) moves.moves(Integer.parseInt(id.substring(id.lastIndexOf('-') + 1)));
        });
  }

  /** Runs as many, to their end. */
  static void warm(Engine engine, String name, int workflows) {
    all(
        workflows,
        i -> {
          String id = name + "-" + i;
          return engine.start(id, TYPE, Payload.NONE).thenCompose(started -> engine.completion(id));
        });
    Engine.until(() -> engine.resident() == 0, "the workflows leave memory");
  }

  /** Starts those that count, in shards that the node holds. */
  static void start(Engine engine, int workflows) {
    all(workflows, i -> engine.start(ownId(engine, i), TYPE, Payload.NONE));
  }

  private static String ownId(Engine engine, int i) {
    for (int n = 0; ; n++) {
      String id = COUNTED + n + "-" + i;
      if (engine.owns(id)) return id;
    }
  }

  static boolean counts(String id) {
    return id.startsWith(COUNTED);
  }

  private static void all(int workflows, IntFunction<CompletionStage<?>> each) {
    Semaphore starting = new Semaphore(STARTING);
    for (int i = 0; i < workflows; i++) {
      starting.acquireUninterruptibly();
      each.apply(i).whenComplete((done, failure) -> starting.release());
    }
    starting.acquireUninterruptibly(STARTING);
  }
}
