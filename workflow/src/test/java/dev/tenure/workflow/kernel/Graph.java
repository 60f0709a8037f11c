package dev.tenure.workflow.kernel;

import dev.tenure.workflow.ParentClosePolicy;
import dev.tenure.workflow.RetryPolicy;
import dev.tenure.workflow.Timeouts;
import dev.tenure.workflow.WorkflowId;
import dev.tenure.workflow.collation.ActivityKind;
import dev.tenure.workflow.operation.Due;
import dev.tenure.workflow.operation.MessageContent;
import dev.tenure.workflow.operation.OperationSpec;
import dev.tenure.workflow.operation.OperationSpec.SignalWait;
import dev.tenure.workflow.operation.OperationSpec.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A document of activities, each followed by its children: what a {@link GraphScript} carries out.
 *
 * @param threshold how many activities are open when the job is complete
 * @param renews whether its first run gives way to another at the end of that activity
 */
record Graph(List<Node> roots, long threshold, Optional<String> renews) {

  /**
   * @param spec empty for a cycle
   * @param answers how many messages the activity takes before one discharges it
   * @param pivot of a cycle, which ancestor it enters again
   * @param turns how often the ancestor is entered again at most, in one plane of it
   * @param abandons what is no longer waited for once this is done
   */
  record Node(
      String name,
      ActivityKind kind,
      Optional<OperationSpec> spec,
      List<Node> children,
      int answers,
      Optional<String> pivot,
      int turns,
      Optional<String> abandons) {

    static Node of(String name, ActivityKind kind, OperationSpec spec, Node... children) {
      return new Node(
          name,
          kind,
          Optional.of(spec),
          List.of(children),
          1,
          Optional.empty(),
          0,
          Optional.empty());
    }

    static Node step(String name, Node... children) {
      return of(name, ActivityKind.WORKER, Step.DEFAULT, children);
    }

    /** A hook that answers 202 until its last message. */
    static Node hook(String name, String signal, int answers, Node... children) {
      Node hook =
          of(name, ActivityKind.WEB_HOOK, new SignalWait(signal, Optional.empty()), children);
      return hook.answering(answers);
    }

    /** A hook that passes through and can be entered again. */
    static Node pivot(String name, Node... children) {
      return of(name, ActivityKind.PIVOT, new OperationSpec.Value(Script.text(name)), children);
    }

    static Node pass(String name, Node... children) {
      return of(
          name, ActivityKind.PASSTHROUGH, new OperationSpec.Value(Script.text(name)), children);
    }

    static Node cycle(String name, String pivot, int turns) {
      return new Node(
          name,
          ActivityKind.CYCLE,
          Optional.empty(),
          List.of(),
          1,
          Optional.of(pivot),
          turns,
          Optional.empty());
    }

    Node as(ActivityKind other) {
      return new Node(name, other, spec, children, answers, pivot, turns, abandons);
    }

    Node answering(int messages) {
      return new Node(name, kind, spec, children, messages, pivot, turns, abandons);
    }

    Node abandoning(String other) {
      return new Node(name, kind, spec, children, answers, pivot, turns, Optional.of(other));
    }

    boolean passes() {
      return spec.isEmpty() || spec.get() instanceof OperationSpec.Value;
    }
  }

  static Graph of(Node... roots) {
    return new Graph(List.of(roots), 0, Optional.empty());
  }

  Graph until(long open) {
    return new Graph(roots, open, renews);
  }

  Accounting accounting() {
    return new Accounting.OfGraph(threshold);
  }

  // --- random documents

  static Graph random(long seed, String id) {
    return new Drawing(new SplittableRandom(seed * 31 + id.hashCode()), id).draw();
  }

  private static final class Drawing {
    private static final int NODES_MAX = 9;

    private final SplittableRandom random;
    private final String id;
    private final List<String> names = new ArrayList<>();
    private int children;

    Drawing(SplittableRandom random, String id) {
      this.random = random;
      this.id = id;
    }

    Graph draw() {
      List<Node> roots = nodes(0, List.of(), 1 + random.nextInt(3));
      long threshold = random.nextInt(6) == 0 ? 1 + random.nextInt(2) : 0;
      Optional<String> renews =
          random.nextInt(5) == 0
              ? Optional.of(names.get(random.nextInt(names.size())))
              : Optional.empty();
      return new Graph(roots, threshold, renews);
    }

    private List<Node> nodes(int depth, List<String> pivots, int count) {
      List<Node> nodes = new ArrayList<>();
      for (int i = 0; i < count && (i == 0 || names.size() < NODES_MAX); i++)
        nodes.add(node(depth, pivots));
      return nodes;
    }

    private Node node(int depth, List<String> pivots) {
      String name = "n" + names.size();
      names.add(name);
      if (depth > 0 && !pivots.isEmpty() && random.nextInt(3) == 0)
        return Node.cycle(name, pivots.get(random.nextInt(pivots.size())), 1 + random.nextInt(3));
      Node leaf = leaf(name);
      List<String> above = new ArrayList<>(pivots);
      if (leaf.kind().isPivot()) above.add(name);
      int count = depth >= 3 ? 0 : random.nextInt(leaf.kind().isPivot() ? 1 : 0, 4);
      // Whatever comes back to an ancestor waits for something on its way, or it never ends.
      List<Node> below =
          leaf.passes() && !above.isEmpty()
              ? waiting(nodes(depth + 1, List.of(), count), above, depth)
              : nodes(depth + 1, above, count);
      Node node =
          new Node(
              name,
              leaf.kind(),
              leaf.spec(),
              below,
              leaf.answers(),
              Optional.empty(),
              0,
              Optional.empty());
      return random.nextInt(8) == 0
          ? node.abandoning(names.get(random.nextInt(names.size())))
          : node;
    }

    private List<Node> waiting(List<Node> plain, List<String> pivots, int depth) {
      List<Node> all = new ArrayList<>(plain);
      String name = "n" + names.size();
      names.add(name);
      if (depth < 3)
        all.add(
            Node.step(name, nodes(depth + 2, pivots, 1 + random.nextInt(2)).toArray(Node[]::new)));
      return all;
    }

    private Node leaf(String name) {
      return switch (random.nextInt(14)) {
        case 0 -> Node.of(name, ActivityKind.TIME_HOOK, timer());
        case 1, 2 -> Node.hook(name, signal(), 1 + random.nextInt(3));
        case 3 ->
            Node.of(name, ActivityKind.WEB_HOOK, new SignalWait(signal(), Optional.of(seconds(50))))
                .answering(1 + random.nextInt(3));
        case 4 -> Node.pass(name);
        case 5, 6 -> Node.pivot(name);
        case 7 -> Node.of(name, ActivityKind.TIME_PIVOT, timer());
        case 8 -> Node.hook(name, signal(), 1 + random.nextInt(2)).as(ActivityKind.WEB_PIVOT);
        case 9 -> message(name);
        case 10 -> child(name);
        case 11 -> isDeep() ? Node.step(name) : impatient(name);
        case 12 ->
            Node.of(
                name,
                ActivityKind.WORKER,
                ActivityCalls.any(random, RetryPolicy.DEFAULT, Timeouts.NONE));
        default -> Node.step(name);
      };
    }

    private OperationSpec timer() {
      return new OperationSpec.Timer(new Due.After(seconds(100)));
    }

    private Duration seconds(int bound) {
      return Duration.ofSeconds(random.nextInt(1, bound));
    }

    private String signal() {
      return random.nextBoolean() ? "x" : "y";
    }

    private boolean isDeep() {
      return id.chars().filter(c -> c == '.').count() >= 2;
    }

    /** A step whose time may be over while it waits for its next attempt. */
    private Node impatient(String name) {
      Timeouts timeouts = Timeouts.NONE.attempt(seconds(10)).total(seconds(15));
      return Node.of(name, ActivityKind.WORKER, new Step(RetryPolicy.DEFAULT, timeouts));
    }

    private Node message(String name) {
      MessageContent content = new MessageContent.Signal(signal(), Script.text("from " + id));
      WorkflowId target = WorkflowId.of(random.nextBoolean() ? "w.0" : "w");
      ActivityKind kind = random.nextBoolean() ? ActivityKind.SIGNAL : ActivityKind.AWAIT;
      return Node.of(name, kind, new OperationSpec.Message(target, content));
    }

    private Node child(String name) {
      if (isDeep()) return Node.step(name);
      ParentClosePolicy policy =
          ParentClosePolicy.values()[random.nextInt(ParentClosePolicy.values().length)];
      return Node.of(name, ActivityKind.AWAIT, ChildrenTest.spec(id + '.' + children++, policy));
    }
  }
}
