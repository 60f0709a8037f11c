package dev.tenure.simulation;

import dev.tenure.persistence.definition.Definition;
import dev.tenure.workflow.WorkflowType;
import dev.tenure.workflow.collation.ActivityKind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * A document of nodes, each followed by its children; a line says a node's name, its parent or
 * nothing, what it is, and its number.
 *
 * <pre>
 * threshold 0
 * n0 - activity 1
 * n1 n0 pivot 1
 * n2 n1 hook 3
 * n3 n2 cycle:n1 2
 * </pre>
 *
 * @param threshold how many activities are open when the job is complete
 */
record Graph(List<Node> roots, long threshold) {
  /** What a node is. Those with {@code PIVOT} in their name can be entered again. */
  enum Word {
    ACTIVITY(ActivityKind.WORKER),
    TIMER(ActivityKind.TIME_HOOK),
    TIME_PIVOT(ActivityKind.TIME_PIVOT),
    /** It takes as many signals as its number says, and stays open in between. */
    HOOK(ActivityKind.WEB_HOOK),
    /** As a hook, with a limit of time for each. */
    HASTY_HOOK(ActivityKind.WEB_HOOK),
    HOOK_PIVOT(ActivityKind.WEB_PIVOT),
    PASS(ActivityKind.PASSTHROUGH),
    PIVOT(ActivityKind.PIVOT),
    /** A signal to another workflow. */
    MESSAGE(ActivityKind.SIGNAL),
    /** Enters an ancestor again, as often as its number says; then it passes. */
    CYCLE(ActivityKind.CYCLE),
    /** As an activity; when it went well, nobody waits any more for the nodes that it names. */
    GIVES_UP(ActivityKind.WORKER);

    final ActivityKind kind;

    Word(ActivityKind kind) {
      this.kind = kind;
    }

    boolean passes() {
      return this == PASS || this == PIVOT;
    }
  }

  /**
   * @param other the ancestor that a cycle enters, or what is given up
   */
  record Node(String name, Word word, String other, int number, List<Node> children) {
    int answers() {
      return word == Word.HOOK || word == Word.HASTY_HOOK || word == Word.HOOK_PIVOT ? number : 1;
    }

    Optional<String> givesUp() {
      return word == Word.GIVES_UP ? Optional.of(other) : Optional.empty();
    }
  }

  static Graph read(Definition definition) {
    List<String> lines = new String(definition.content(), StandardCharsets.UTF_8).lines().toList();
    Map<String, Node> nodes = new LinkedHashMap<>();
    List<Node> roots = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] words = line.split(" ");
      String[] what = words[2].split(":");
      Node node =
          new Node(
              words[0],
              Word.valueOf(what[0].toUpperCase()),
              what.length > 1 ? what[1] : "",
              Integer.parseInt(words[3]),
              new ArrayList<>());
      nodes.put(node.name, node);
      if (words[1].equals("-")) roots.add(node);
      else nodes.get(words[1]).children.add(node);
    }
    return new Graph(roots, Long.parseLong(lines.getFirst().split(" ")[1]));
  }

  Map<String, Node> byName() {
    Map<String, Node> all = new LinkedHashMap<>();
    collect(roots, all);
    return all;
  }

  private static void collect(List<Node> nodes, Map<String, Node> all) {
    for (Node node : nodes) {
      all.put(node.name, node);
      collect(node.children, all);
    }
  }

  // --- drawn documents

  static Definition drawn(WorkflowType type, SplittableRandom random) {
    List<String> lines = new ArrayList<>();
    lines.add("threshold " + (random.nextInt(5) == 0 ? 1 + random.nextInt(2) : 0));
    new Drawing(random, lines).nodes(0, "-", List.of(), 1 + random.nextInt(3));
    byte[] content =
        lines.stream().collect(Collectors.joining("\n")).getBytes(StandardCharsets.UTF_8);
    return new Definition(Graphs.KIND, type, content);
  }

  private static final class Drawing {
    private static final int NODES_MAX = 9;
    private static final int DEPTH_MAX = 4;

    private static final Word[] LEAVES = {
      Word.ACTIVITY, Word.ACTIVITY, Word.ACTIVITY, Word.TIMER, Word.TIME_PIVOT, Word.HOOK,
      Word.HOOK, Word.HASTY_HOOK, Word.HOOK_PIVOT, Word.PASS, Word.PIVOT, Word.PIVOT,
      Word.MESSAGE, Word.GIVES_UP
    };

    private final SplittableRandom random;
    private final List<String> lines;
    private int count;

    Drawing(SplittableRandom random, List<String> lines) {
      this.random = random;
      this.lines = lines;
    }

    void nodes(int depth, String parent, List<String> pivots, int number) {
      for (int i = 0; i < number && (i == 0 || count < NODES_MAX); i++) node(depth, parent, pivots);
    }

    /**
     * @param pivots the ancestors that can be entered again from here, which is behind something
     *     that takes its time: a cycle that nothing waits in would never end
     */
    private void node(int depth, String parent, List<String> pivots) {
      String name = "n" + count++;
      if (!pivots.isEmpty() && random.nextInt(3) == 0) {
        String pivot = pivots.get(random.nextInt(pivots.size()));
        line(name, parent, "cycle:" + pivot, 1 + random.nextInt(2));
        return;
      }
      Word word = LEAVES[random.nextInt(LEAVES.length)];
      String what = word.name().toLowerCase();
      if (word == Word.GIVES_UP) what += ":n" + random.nextInt(NODES_MAX);
      line(name, parent, what, 1 + random.nextInt(3));
      List<String> above = new ArrayList<>(pivots);
      boolean isPivot = word.kind.isPivot();
      if (isPivot) above.add(name);
      if (word.passes() && isPivot) {
        // Whatever comes back to it waits for something on its way.
        String waits = "n" + count++;
        line(waits, name, random.nextBoolean() ? "activity" : "hook", 1);
        if (depth + 1 < DEPTH_MAX) nodes(depth + 2, waits, above, 1 + random.nextInt(2));
      } else if (depth < DEPTH_MAX)
        nodes(depth + 1, name, above, random.nextInt(isPivot ? 1 : 0, 3));
    }

    private void line(String name, String parent, String what, int number) {
      lines.add("%s %s %s %d".formatted(name, parent, what, number));
    }
  }
}
