package dev.tenure.workflow.kernel;

import dev.tenure.workflow.Attribute;
import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.operation.Due;
import dev.tenure.workflow.operation.MessageContent;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.OperationSpec.SignalWait;
import dev.tenure.workflow.operation.OperationSpec.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** Random programs; the same seed makes the same program. */
final class ScriptGenerator {
  private final SplittableRandom random;
  private final int generation;
  private final String id;
  private int children;

  private ScriptGenerator(long seed, String id) {
    this.random = new SplittableRandom(seed * 31 + id.hashCode());
    this.id = id;
    this.generation = (int) id.chars().filter(c -> c == '.').count();
  }

  static Script script(long seed, String id) {
    ScriptGenerator generator = new ScriptGenerator(seed, id);
    Script.Part main = generator.part(0);
    Optional<Script.Part> undo =
        generator.random.nextBoolean() ? Optional.of(generator.leaf()) : Optional.empty();
    int renewals = generator.random.nextInt(4) == 0 ? 1 + generator.random.nextInt(2) : 0;
    return new Script(main, undo, renewals);
  }

  private Script.Part part(int depth) {
    if (depth >= 3 || random.nextInt(4) == 0) return leaf();
    List<Script.Part> parts = new ArrayList<>();
    int count = random.nextInt(1, 4);
    for (int at = 0; at < count; at++) parts.add(part(depth + 1));
    return switch (random.nextInt(4)) {
      case 0 -> new Script.Part.Par(parts);
      case 1 -> new Script.Part.Race(parts);
      default -> new Script.Part.Seq(parts);
    };
  }

  private Script.Part leaf() {
    return switch (random.nextInt(14)) {
      case 0 -> Script.op("timer", new OperationSpec.Timer(new Due.After(seconds(100))));
      case 1 -> new Script.Part.Try("wait", new SignalWait(signal(), Optional.of(seconds(50))));
      case 2 -> Script.op("wait", new SignalWait(signal(), Optional.empty()));
      case 3 -> new Script.Part.Attributes(Map.of("n", Attribute.of(random.nextInt(3))));
      case 4 -> new Script.Part.AnswerUpdate();
      case 5 -> Script.op("value", new OperationSpec.Value(Script.text("v")));
      case 6, 7 -> child();
      case 8 -> message();
      case 9, 10 -> new Script.Part.Try("act", ActivityCalls.any(random, retry(), timeouts()));
      case 11 -> Script.op("step", Step.DEFAULT);
      default -> new Script.Part.Try("try", new Step(retry(), timeouts()));
    };
  }

  private String signal() {
    return random.nextBoolean() ? "x" : "y";
  }

  private Duration seconds(int bound) {
    return Duration.ofSeconds(random.nextInt(1, bound));
  }

  private RetryPolicy retry() {
    int attempts = random.nextInt(1, 4);
    RetryPolicy policy = RetryPolicy.DEFAULT.attempts(attempts);
    return attempts == 3 ? policy.thenIncident() : policy;
  }

  private Timeouts timeouts() {
    return switch (random.nextInt(3)) {
      case 0 -> Timeouts.NONE;
      case 1 -> Timeouts.NONE.attempt(seconds(60));
      default -> Timeouts.NONE.attempt(seconds(30)).total(seconds(200));
    };
  }

  private Script.Part child() {
    if (generation >= 2) return Script.op("step", Step.DEFAULT);
    // Now and then a name that is taken.
    String name = id + '.' + (random.nextInt(6) == 0 ? 0 : children++);
    ParentClosePolicy policy =
        ParentClosePolicy.values()[random.nextInt(ParentClosePolicy.values().length)];
    return new Script.Part.Try("child", ChildrenTest.spec(name, policy));
  }

  private Script.Part message() {
    MessageContent content =
        random.nextInt(3) == 0
            ? new MessageContent.Cancel("a stranger asks")
            : new MessageContent.Signal(signal(), Script.text("from " + id));
    String target = random.nextBoolean() ? "w.0" : "w";
    return new Script.Part.Try("tell", new OperationSpec.Message(WorkflowId.of(target), content));
  }
}
